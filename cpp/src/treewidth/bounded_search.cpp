#include "credenet/treewidth/bounded_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "credenet/local/insertion_search.hpp"
#include "credenet/treewidth/bag_search.hpp"
#include "credenet/treewidth/best_within.hpp"
#include "credenet/treewidth/tree_growth.hpp"
#include "credenet/treewidth/window_search.hpp"
#include "credenet/util/moment.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

// The score of each variable's best family that fits into a bag; minus infinity for none.
std::vector<double> best_fitting(const FamilyLists& lists, std::size_t tree_width) {
  std::vector<double> best(lists.n_variables(), FamilyIndex::kNoScore);
  for (std::size_t v = 0; v < best.size(); ++v) {
    for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
      if (lists.parents_of(family).size() > tree_width) continue;
      best[v] = lists.scores[family];
      break;
    }
  }
  return best;
}

class BoundedSearch {
 public:
  BoundedSearch(const FamilyLists& lists, const BoundedSearchOptions& options, Control& control)
      : options_(options),
        control_(control),
        ordered_(lists),
        index_(lists, options.tree_width),
        best_within_(index_),
        small_windows_(index_, options.tree_width, kSmallWindow),
        large_windows_(index_, options.tree_width, kLargeWindow) {
    const std::size_t n = lists.n_variables();
    double sum = 0;  // Sum of logs, as some ranges are hundreds of times as large as others.
    for (std::size_t v = 0; v < n; ++v) {
      sum += std::log1p(ordered_.score(v, 0) - ordered_.score(v, ordered_.size(v) - 1));
    }
    scale_ = std::exp(sum / static_cast<double>(n));
    result_.bound = 0;
    for (const double score : best_fitting(lists, options.tree_width)) result_.bound += score;
    for (std::size_t at = 0; at < kChains; ++at) {
      chains_.push_back({TreeGrowth(ordered_, options.tree_width),
                         BagSearch(ordered_, index_, options.tree_width)});
    }
  }

  BoundedResult run() {
    while (!stop_ && !is_finished()) {
      const std::size_t n_left = options_.n_iterations - n_done_;
      const std::size_t n_blocks = options_.n_iterations == 0 ? kChains : std::min(kChains, n_left);
      parallel_blocks(n_blocks, options_.n_threads, stop_, [&](std::size_t at, unsigned worker) {
        if (options_.method == BoundedMethod::kAnnealing) {
          anneal(at, worker);
        } else {
          grow(at, worker);
        }
      });
      n_done_ += n_blocks;
      ++n_rounds_;
      gather(n_blocks);
    }
    result_.status = is_best() ? Status::kOptimal
                     : stop_   ? Status::kStopped
                               : Status::kIterationLimit;
    if (is_best()) result_.bound = result_.score;
    result_.n_expanded = n_steps_;
    trace_.record(result_.score, result_.bound);
    result_.trace = trace_.take();
    return std::move(result_);
  }

 private:
  struct Chain {
    TreeGrowth growth;
    BagSearch search;
    bool has_tree = false;  // Whether the chain has a tree in this round.
  };

  static constexpr std::size_t kChains = 4;
  // Temperatures of an annealing, as shares of the geometric mean of the ranges of the variables'
  // scores.
  static constexpr double kHot[kChains] = {1, 0.02, 0.02, 0.2};
  static constexpr double kCold = 0.001;
  static constexpr std::size_t kLevels = 200;  // Levels of temperature.
  // Changes for each variable in the first round of annealings; twice as many in each later one.
  static constexpr std::size_t kFirstSteps = 5000;
  static constexpr std::size_t kMostDoublings = 5;  // Most doublings of the number of changes.
  // Grown trees, of which an annealing begins with the best.
  static constexpr std::size_t kGrowths = 10;
  static constexpr std::size_t kRegrowths = 20;  // Regrown branches of one tree.
  // Members of the largest bags in which families are chosen anew.
  static constexpr std::size_t kLargestExactBag = 6;
  // Largest tree-width for which windows are searched.
  static constexpr std::size_t kWidestWindow = 4;
  // Changes of the annealing that take about as long as one window.
  static constexpr std::size_t kStepsPerWindow = 1000;
  static constexpr double kSmallWindow = 2e6;  // Steps of bounded_dp for a small window.
  static constexpr double kLargeWindow = 2e7;  // Steps of bounded_dp for a large window.

  [[nodiscard]] bool is_best() const {
    return !result_.families.empty() && result_.score >= result_.bound - tolerance(result_.bound);
  }
  [[nodiscard]] bool is_finished() const {
    return is_best() || (options_.n_iterations != 0 && n_done_ >= options_.n_iterations);
  }

  bool poll(unsigned worker) {
    if (worker == 0 && !control_.poll({n_done_, std::max(options_.n_iterations, n_done_),
                                       seen_score(), result_.bound})) {
      stop_ = true;
    }
    return !stop_;
  }

  // The best score that any chain has seen.
  [[nodiscard]] double seen_score() {
    const std::scoped_lock lock(seen_mutex_);
    return seen_;
  }
  void see(const BagSearch::State& state) {
    if (state.is_network) see(state.score);
  }
  void see(double score) {
    const std::scoped_lock lock(seen_mutex_);
    if (score <= seen_) return;
    seen_ = score;
    trace_.record(score, result_.bound);
  }

  // Grows trees by the rule and takes the best of several; the first one is always made.
  GrownTree grow_tree(TreeGrowth& growth, std::size_t n_growths, Random& random, unsigned worker) {
    const GrowthRule rule = options_.method == BoundedMethod::kKG ? GrowthRule::kRandomOrder
                                                                  : GrowthRule::kSmallestLossFirst;
    GrownTree best = growth.grow(rule, random);
    for (std::size_t round = 1; round < n_growths && poll(worker); ++round) {
      GrownTree other = growth.grow(rule, random);
      if (growth.score(other) > growth.score(best)) best = std::move(other);
    }
    return best;
  }

  void grow(std::size_t at, unsigned worker) {
    Chain& chain = chains_[at];
    Random random(options_.seed, n_done_ + at);
    GrownTree tree = grow_tree(chain.growth, 1, random, worker);
    const bool regrows = options_.method == BoundedMethod::kKMax;
    for (std::size_t round = 0; regrows && round < kRegrowths && poll(worker); ++round) {
      GrownTree other = chain.growth.regrow(tree, random);
      if (chain.growth.score(other) > chain.growth.score(tree)) tree = std::move(other);
    }
    chain.search.set_tree(tree);
    chain.has_tree = true;
    see(chain.search.best());
    poll(worker);
  }

  // In the first round all chains begin with grown trees. Later, the first begins anew and at high
  // temperatures, as it depends on the trees which networks lower ones can reach; two go on from
  // the best state; and one improves the best network by windows.
  void anneal(std::size_t at, unsigned worker) {
    Chain& chain = chains_[at];
    Random random(options_.seed, n_done_ + at);
    const double hot = kHot[at];
    const std::size_t doublings = std::min(n_rounds_, kMostDoublings);
    const std::size_t n_all_steps = (kFirstSteps << doublings) * ordered_.n_variables();
    if (n_rounds_ > 0 && at == 1 && has_windows() && !result_.families.empty()) {
      improve_windows(chain, n_all_steps / kStepsPerWindow + 1, random, worker);
      return;
    }
    if (n_rounds_ == 0 || at == 0) {
      chain.search.set_tree(grow_tree(chain.growth, kGrowths, random, worker));
    } else {
      chain.search.set_state(best_);
    }
    chain.has_tree = true;
    see(chain.search.best());
    const std::size_t n_steps = n_all_steps / kLevels + 1;
    constexpr std::size_t kSteps = 20'000;  // Steps between two polls.
    for (std::size_t level = 0; level < kLevels && !stop_; ++level) {
      const double share = static_cast<double>(level) / (kLevels - 1);
      const double temperature = scale_ * hot * std::pow(kCold / hot, share);
      for (std::size_t done = 0; done < n_steps && poll(worker); done += kSteps) {
        chain.search.anneal(std::min(kSteps, n_steps - done), temperature, random);
      }
      see(chain.search.best());
    }
    n_steps_ += n_steps * kLevels;
  }

  [[nodiscard]] bool has_windows() const { return options_.tree_width <= kWidestWindow; }

  void improve_windows(Chain& chain, std::size_t n_windows, Random& random, unsigned worker) {
    NoControl no_control;
    BoundedResult network = result_;
    for (std::size_t window = 0; window < n_windows && poll(worker); ++window) {
      WindowSearch& search = window % 2 == 0 ? small_windows_ : large_windows_;
      (void)search.improve(network, random, no_control);
      see(network.score);
    }
    chain.search.set_network(network);
    chain.has_tree = true;
    see(chain.search.best());
  }

  // Takes the best network of the chains, with its families chosen anew for its bags where that is
  // quick.
  void gather(std::size_t n_chains) {
    const Chain* best = nullptr;
    for (std::size_t at = 0; at < n_chains; ++at) {
      Chain& chain = chains_[at];
      const double score = best == nullptr ? best_.score : best->search.best().score;
      if (chain.has_tree && chain.search.best().score > score) best = &chain;
      chain.has_tree = false;
    }
    if (best == nullptr) return;
    best_ = best->search.best();
    if (!best_.is_network) return;
    BoundedResult found = best->search.network();
    if (options_.tree_width < kLargestExactBag) {
      Moment moment(control_);
      BoundedResult exact = best_within_(found.decomposition, moment);
      if (exact.score > found.score) found = std::move(exact);
    }
    if (found.families.empty() || found.score <= result_.score) return;
    result_.families = std::move(found.families);
    result_.decomposition = std::move(found.decomposition);
    result_.score = found.score;
    see(found.score);
  }

  BoundedSearchOptions options_;
  Control& control_;
  OrderLists ordered_;
  FamilyIndex index_;
  BestWithin best_within_;
  WindowSearch small_windows_;
  WindowSearch large_windows_;
  double scale_ = 0;
  std::vector<Chain> chains_;
  BagSearch::State best_;
  BoundedResult result_;
  std::size_t n_done_ = 0;  // Number of finished iterations.
  std::size_t n_rounds_ = 0;
  std::atomic<std::uint64_t> n_steps_{0};
  std::atomic<bool> stop_{false};
  std::mutex seen_mutex_;
  double seen_ = FamilyIndex::kNoScore;
  BoundTrace trace_;
};

// The bytes of the tables that grow with the number of families.
std::size_t table_bytes(const FamilyLists& lists) {
  return lists.scores.size() * FamilyIndex::kBytesPerFamily +
         lists.parents.size() * 2 * sizeof(std::int32_t);
}

}  // namespace

BoundedResult bounded_search(const FamilyLists& lists, const BoundedSearchOptions& options,
                             Control& control) {
  if (options.tree_width > BoundedSearchOptions::kMostTreeWidth) {
    throw std::invalid_argument("the tree-width is too large for a local search");
  }
  BoundedResult result;
  const std::vector<double> best = best_fitting(lists, options.tree_width);
  if (std::ranges::find(best, FamilyIndex::kNoScore) != best.end()) {
    result.status = Status::kInfeasible;
    result.bound = FamilyIndex::kNoScore;
    return result;
  }
  if (lists.n_variables() == 0) {
    result.status = Status::kOptimal;
    result.score = result.bound = 0;
    return result;
  }
  if (table_bytes(lists) > options.max_bytes) {
    result.status = Status::kMemoryLimit;
    result.bound = std::accumulate(best.begin(), best.end(), 0.0);
    return result;
  }
  return BoundedSearch(lists, options, control).run();
}

}  // namespace credenet
