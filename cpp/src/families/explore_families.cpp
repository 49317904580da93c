// Each variable is explored by itself, in turns of growing length; threads share the variables.
#include "credenet/families/explore_families.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "credenet/families/exploration.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {

class FamilyExplorer::Variables {
 public:
  Variables() = default;
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  virtual ~Variables() = default;
  virtual bool explore(Control& control) = 0;
  virtual bool explore_near(std::span<const std::vector<std::uint16_t>> network,
                            std::size_t n_further, Control& control) = 0;
  [[nodiscard]] virtual Families families() const = 0;
};

namespace {

template <std::size_t kWords>
class SomeVariables final : public FamilyExplorer::Variables {
  using VariableExploration = Exploration<kWords>;

 public:
  SomeVariables(const FamilyScorer& scorer, std::vector<ChildRules> rules,
                const FamilyOptions& options, const ExplorationLimits& limits, std::size_t n_shared)
      : rules_(std::move(rules)),
        options_(options),
        limits_(limits),
        shared_(n_shared),
        n_threads_(scorer.takes_threads() ? std::max(options.n_threads, 1U) : 1),
        most_in_turn_(std::max(VariableExploration::kBatch,
                               (std::size_t{1} << 22) / std::max<std::size_t>(scorer.work(), 1))) {
    for (unsigned worker = 0; worker < n_threads_; ++worker) {
      askers_.push_back(make_asker(scorer, rules_.size(), shared_));
    }
    shape_ = askers_[0]->shape();
    had_turn_.assign(rules_.size(), 0);
    explorations_.reserve(rules_.size());
    for (std::size_t child = 0; child < rules_.size(); ++child) {
      explorations_.emplace_back(shape_, rules_[child], options_, limits_, child);
    }
  }

  // Begins with one family for each variable, then takes more at a time, up to some milliseconds of
  // work. A round that was stopped goes on with the variables that have not had their turn.
  bool explore(Control& control) override {
    while (true) {
      std::vector<std::size_t> waiting =
          unfinished([&](std::size_t child) { return !had_turn_[child]; });
      if (waiting.empty()) {
        std::ranges::fill(had_turn_, std::uint8_t{0});
        waiting = unfinished([](std::size_t) { return true; });
        if (waiting.empty()) return true;
        n_in_turn_ = std::min(most_in_turn_, std::max(VariableExploration::kBatch, 2 * n_in_turn_));
      }
      const bool goes_on =
          for_each(waiting, control, [&](std::size_t child, FamilyAsker& asker, auto&& go_on) {
            explorations_[child].run(asker, n_in_turn_, go_on);
            had_turn_[child] = 1;
          });
      if (!goes_on) return false;
    }
  }

  bool explore_near(std::span<const std::vector<std::uint16_t>> network, std::size_t n_further,
                    Control& control) override {
    std::vector<std::size_t> all(rules_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return for_each(all, control, [&](std::size_t child, FamilyAsker& asker, auto&& go_on) {
      explorations_[child].run_near(asker, network[child], n_further, go_on);
    });
  }

  [[nodiscard]] Families families() const override {
    Families result;
    result.children.resize(rules_.size());
    std::atomic<bool> never{false};
    parallel_blocks(rules_.size(), n_threads_, never, [&](std::size_t child, unsigned) {
      explorations_[child].sets().report(result.children[child]);
    });
    for (const VariableExploration& each : explorations_) {
      result.n_evaluated += each.sets().n_evaluated();
      result.n_levels = std::max(result.n_levels, each.sets().n_levels());
    }
    for (const Status status : {Status::kIterationLimit, Status::kMemoryLimit, Status::kStopped}) {
      const bool some = std::ranges::any_of(
          explorations_, [&](const VariableExploration& each) { return each.status() == status; });
      if (some) result.status = status;
    }
    return result;
  }

 private:
  template <typename Which>
  [[nodiscard]] std::vector<std::size_t> unfinished(Which&& which) const {
    std::vector<std::size_t> found;
    for (std::size_t child = 0; child < rules_.size(); ++child) {
      if (!explorations_[child].is_done() && which(child)) found.push_back(child);
    }
    return found;
  }

  [[nodiscard]] std::size_t n_done() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(explorations_, [](const auto& each) { return each.is_done(); }));
  }

  // Works on variables in parallel; false if the control stopped it.
  template <typename Work>
  bool for_each(std::span<const std::size_t> children, Control& control, Work&& work) {
    std::atomic<bool> stop{false};
    const Progress progress{n_done(), rules_.size()};
    parallel_blocks(children.size(), n_threads_, stop, [&](std::size_t block, unsigned worker) {
      work(children[block], *askers_[worker], [&] {
        if (worker == 0 && !control.poll(progress)) stop = true;
        return !stop.load(std::memory_order_relaxed);
      });
    });
    return !stop;
  }

  std::vector<ChildRules> rules_;
  FamilyOptions options_;
  ExplorationLimits limits_;
  SharedTerms shared_;
  unsigned n_threads_;
  std::size_t n_in_turn_ = 1;
  std::vector<std::uint8_t> had_turn_;  // Whether each variable had its turn in this round.
  std::size_t most_in_turn_;
  std::vector<std::unique_ptr<FamilyAsker>> askers_;  // One asker for each thread.
  ScoreShape shape_;
  std::vector<VariableExploration> explorations_;
};

template <std::size_t kWords, typename... Arguments>
std::unique_ptr<FamilyExplorer::Variables> variables_of(std::size_t n, Arguments&&... arguments) {
  if constexpr (kWords < 64) {
    // Words of the sets that are tried if n variables do not fit.
    constexpr std::size_t kMore = kWords == 1 ? 2 : kWords == 2 ? 4 : kWords == 4 ? 17 : 64;
    if (n > 64 * kWords) return variables_of<kMore>(n, std::forward<Arguments>(arguments)...);
  } else if (n > 64 * kWords) {
    throw std::invalid_argument("families of at most 4096 variables can be scored");
  }
  return std::make_unique<SomeVariables<kWords>>(std::forward<Arguments>(arguments)...);
}

}  // namespace

FamilyExplorer::FamilyExplorer(const FamilyScorer& scorer, std::vector<ChildRules> rules,
                               const FamilyOptions& options, std::size_t max_families) {
  const std::size_t n = rules.size();
  ExplorationLimits limits{max_families, 0};
  std::size_t n_shared = n;
  if (options.max_bytes != 0 && n != 0) {
    const std::size_t shared_bytes = n * (n + 1) / 2 * SharedTerms::kSetBytes;
    if (shared_bytes > options.max_bytes / 4) n_shared = 0;
    limits.max_bytes =
        std::max<std::size_t>((options.max_bytes - (n_shared == 0 ? 0 : shared_bytes)) / n, 1);
  }
  variables_ = variables_of<1>(n, scorer, std::move(rules), options, limits, n_shared);
}

FamilyExplorer::~FamilyExplorer() = default;

bool FamilyExplorer::explore(Control& control) { return variables_->explore(control); }

bool FamilyExplorer::explore_near(std::span<const std::vector<std::uint16_t>> network,
                                  std::size_t n_further, Control& control) {
  return variables_->explore_near(network, n_further, control);
}

Families FamilyExplorer::families() const { return variables_->families(); }

}  // namespace credenet
