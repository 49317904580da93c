// Iterations are numbered, and each has random numbers of its own. They come in blocks: k-trees are
// built side by side, accepted one after the other, and networks are made from those accepted side
// by side again. Of equal networks the one of the first iteration is kept. So the threads do not
// change the result. The first iteration goes through even if it is stopped, for there to be a
// network.
#include "credenet/treewidth/k_tree_search.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>

#include "credenet/treewidth/best_within.hpp"
#include "credenet/treewidth/dandelion_code.hpp"
#include "credenet/treewidth/guided_k_tree.hpp"
#include "credenet/treewidth/root_clique.hpp"
#include "credenet/treewidth/sampled_orders.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

struct Iteration {
  std::uint64_t number = 0;
  Random random;
  std::optional<KTree> tree = {};
  double information = 0;
  std::optional<double> gain = {};   // Gain of a complete search that ended.
  std::optional<double> score = {};  // Score of its network, once made.

  Iteration(std::uint64_t seed, std::uint64_t at) : number(at), random(seed, at) {}
};

class KTreeSearch {
 public:
  KTreeSearch(const FamilyLists& lists, const PairWeights& weights, const KTreeOptions& options,
              Control& control)
      : lists_(lists),
        options_(options),
        control_(control),
        k_(std::min(options.tree_width, lists.n_variables() - 1)),
        guide_(weights, k_),
        small_(lists, k_) {
    if (options_.complete) options_.n_threads = std::min(options_.n_threads, kMostSearches);
    if (!options_.exact) return;
    index_.emplace(lists, k_);
    for (unsigned worker = 0; worker < std::max(options_.n_threads, 1U); ++worker) {
      best_within_.emplace_back(*index_);
    }
  }

  KTreeResult run() {
    if (!find_bound()) {
      result_.status = Status::kInfeasible;
      result_.bound = -std::numeric_limits<double>::infinity();
      return std::move(result_);
    }
    WorkerControl own(*this, 0);
    if (options_.guided) root_ = best_root_clique(guide_.weights(), k_ + 1, own);
    std::vector<Iteration> block;
    block.emplace_back(options_.seed, 0);
    build(block.front(), own);
    most_information_ = block.front().information;
    make_network(block.front(), 0, own);
    keep(block);
    while (!stop_ && !is_finished()) {
      block = next_block();
      for_each(block, [&](Iteration& at, unsigned, Control& control) { build(at, control); });
      if (stop_) break;
      accept(block);
      for_each(block, [&](Iteration& at, unsigned worker, Control& control) {
        make_network(at, worker, control);
      });
      keep(block);
    }
    finish();
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kBlock = 16;  // Iterations of a block.
  // Complete searches that run in parallel share the memory.
  static constexpr unsigned kMostSearches = kBlock;

  // Only the first worker asks the caller, with the progress of the whole search.
  class WorkerControl final : public Control {
   public:
    WorkerControl(KTreeSearch& search, unsigned worker) : search_(search), worker_(worker) {}
    [[nodiscard]] bool poll(const Progress&) override {
      if (worker_ == 0 && !search_.stop_ && !search_.control_.poll(search_.progress())) {
        search_.stop_ = true;
      }
      return !search_.stop_;
    }

   private:
    KTreeSearch& search_;
    unsigned worker_;
  };

  template <typename Work>
  void for_each(std::vector<Iteration>& block, Work&& work) {
    parallel_blocks(block.size(), options_.n_threads, stop_, [&](std::size_t at, unsigned worker) {
      WorkerControl control(*this, worker);
      work(block[at], worker, control);
      (void)control.poll({});
    });
  }

  // Finds the sum of the best families, and whether there is a network at all: an order without a
  // network proves that there is none.
  bool find_bound() {
    std::vector<std::int32_t> order(lists_.n_variables());
    std::iota(order.begin(), order.end(), 0);
    if (network_of_order(lists_, small_.all(), order).empty()) return false;
    result_.bound = 0;
    for (std::size_t v = 0; v < lists_.n_variables(); ++v) {
      result_.bound +=
          lists_.scores[lists_.begin(v) + static_cast<std::size_t>(small_.all().of(v).front())];
    }
    return true;
  }

  [[nodiscard]] Progress progress() {
    const std::scoped_lock lock(mutex_);
    const double score =
        result_.families.empty() ? std::numeric_limits<double>::quiet_NaN() : result_.score;
    return {n_made_, options_.n_iterations, score, result_.bound};
  }

  [[nodiscard]] bool is_finished() const {
    return (options_.n_iterations != 0 && n_made_ >= options_.n_iterations) || is_proven_ ||
           result_.score == result_.bound;
  }

  std::vector<Iteration> next_block() {
    std::size_t size = kBlock;
    if (options_.guided && options_.n_iterations != 0) {
      size = std::min<std::size_t>(size, options_.n_iterations - n_made_);
    }
    std::vector<Iteration> block;
    for (std::size_t at = 0; at < size; ++at) block.emplace_back(options_.seed, ++n_begun_);
    return block;
  }

  void build(Iteration& at, Control& control) {
    if (!options_.guided) {
      at.tree = sample_k_tree(guide_.n_variables(), k_, at.random);
    } else {
      const std::vector<std::int32_t> root =
          at.number == 0 ? root_ : sample_variables(guide_.n_variables(), k_ + 1, at.random);
      if (options_.complete) {
        CompleteKTree found =
            complete_k_tree(guide_, root, options_.max_bytes / kMostSearches, control);
        if (found.status == Status::kOptimal) at.gain = found.gain;
        at.tree = std::move(found.tree);
      } else {
        at.tree = greedy_k_tree(guide_, root);
      }
    }
    at.information = at.tree->information(guide_.weights());
  }

  // Keeps the k-trees that are accepted, up to the limit of iterations.
  void accept(std::vector<Iteration>& block) {
    if (options_.guided) return;
    const std::size_t most = options_.n_iterations == 0 ? kBlock : options_.n_iterations - n_made_;
    std::vector<Iteration> accepted;
    for (Iteration& at : block) {
      most_information_ = std::max(most_information_, at.information);
      const bool is_accepted = at.random.uniform() * most_information_ <= at.information;
      if (is_accepted && accepted.size() < most) accepted.push_back(std::move(at));
    }
    block = std::move(accepted);
  }

  void make_network(Iteration& at, unsigned worker, Control& control) {
    const FamilySelection within = small_.within(*at.tree);
    const SampledNetwork sampled =
        sample_orders(lists_, within, options_.n_orders, at.random, control);
    at.score = publish(at, sampled.families);
    bool is_finished = sampled.is_finished;
    // Sampled orders come first, as the exact programme has nothing if it is stopped.
    if (options_.exact && !sampled.families.empty()) {
      const BoundedResult best = best_within_[worker](at.tree->decomposition(), control);
      is_finished = best.status == Status::kOptimal;
      if (is_finished) at.score = publish(at, best.families);
      if (is_finished && at.tree->n_variables() == k_ + 1) is_proven_ = true;
    }
    if (!is_finished) at.score.reset();
    ++n_made_;
  }

  // Keeps a network that is better, or as good and of an earlier iteration. Returns its score;
  // nothing without a network.
  std::optional<double> publish(const Iteration& at, const std::vector<std::int32_t>& families) {
    if (families.empty()) return {};
    double score = 0;  // Sum in the order of the variables, as for the bound.
    for (std::size_t v = 0; v < families.size(); ++v) {
      score += lists_.scores[lists_.begin(v) + static_cast<std::size_t>(families[v])];
    }
    const std::scoped_lock lock(mutex_);
    if (score < result_.score) return score;
    if (score == result_.score && at.number >= best_number_) return score;
    result_.families = families;
    result_.score = score;
    result_.decomposition = at.tree->decomposition();
    best_number_ = at.number;
    trace_.record(result_.score, result_.bound);
    return score;
  }

  void keep(const std::vector<Iteration>& block) {
    for (const Iteration& at : block) {
      if (at.gain) {
        result_.complete_gain += *at.gain;
        ++result_.n_complete;
      }
      if (at.score) result_.points.push_back({at.information, *at.score});
    }
  }

  void finish() {
    if (result_.n_complete > 0) {
      result_.complete_gain /= static_cast<double>(result_.n_complete);
    }
    if (is_proven_) result_.bound = result_.score;
    result_.status = result_.score == result_.bound ? Status::kOptimal
                     : stop_                        ? Status::kStopped
                                                    : Status::kIterationLimit;
    result_.n_expanded = n_made_;
    result_.n_generated = n_begun_ + 1;
    trace_.record(result_.score, result_.bound);
    result_.trace = trace_.take();
  }

  const FamilyLists& lists_;
  KTreeOptions options_;
  Control& control_;
  std::size_t k_;
  KTreeGuide guide_;
  SmallFamilies small_;
  std::optional<FamilyIndex> index_;      // Index for the exact programmes.
  std::vector<BestWithin> best_within_;   // One programme for each worker.
  std::vector<std::int32_t> root_;        // Root clique of most information.
  double most_information_ = 0;           // Largest information of an accepted k-tree.
  std::uint64_t n_begun_ = 0;             // Number of iterations begun after the first.
  std::atomic<std::uint64_t> n_made_{0};  // Number of iterations with a network made.
  std::atomic<bool> stop_{false};
  std::atomic<bool> is_proven_{false};
  std::mutex mutex_;  // Guards the result and the trace.
  std::uint64_t best_number_ = 0;
  BoundTrace trace_;
  KTreeResult result_;
};

}  // namespace

KTreeResult k_tree_search(const FamilyLists& lists, const PairWeights& weights,
                          const KTreeOptions& options, Control& control) {
  if (lists.n_variables() == 0) {
    KTreeResult nothing;
    nothing.score = nothing.bound = 0;
    nothing.status = Status::kOptimal;
    return nothing;
  }
  return KTreeSearch(lists, weights, options, control).run();
}

}  // namespace credenet
