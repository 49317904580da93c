// Breadth-first branch and bound in the order graph (Malone, Yuan, Hansen and Bridges 2011): a node
// is a set U of placed variables with g(U), the best score of a network on it; an arc to U + v adds
// v's best family within U. Layer k holds the nodes of size k, sorted by their bits. Nodes with
// g + h below the score of a known network are left out, ties are kept, so at least one best
// network stays and the full set is reached with its score.
//
// The successors of a sorted layer by one variable are sorted too, since U + v keeps the order of
// the sets without v. So the next layer is a merge of as many streams as there are variables, each
// of them a walk through the same layer: all ways to a set turn up at once, no duplicate is ever
// stored, and a layer can lie in a file as well. The merge is cut into ranges of sets, which are
// shared out among the threads and written in their order.
//
// No network scores above the known one or the best g + h of a complete layer, whichever is more:
// its order passes through the layer, or a part of it was left out.
//
// The layers stay until the end, 16 bytes for each node, in memory or on disk; the network is read
// off from the full set downwards, where g(U \ v) + the score of v is g(U) to the last digit.
#include "credenet/lattice/breadth_first.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <optional>

#include "credenet/lattice/best_parents.hpp"
#include "credenet/lattice/layer_store.hpp"
#include "credenet/util/no_score.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

// End of a stream; it is also the set of all 64 variables.
constexpr std::uint64_t kEnd = ~std::uint64_t{0};
constexpr std::size_t kNodesPerRange = 4096;  // Nodes of the old layer in a range.
constexpr std::size_t kRangesPerThread = 4;   // Ranges for each thread between two writes.
constexpr std::size_t kSetsPerPoll = 32;      // Generated sets from one poll to the next.

using Layer = std::span<const LayerNode>;
using Sets = std::array<std::uint64_t, ComponentLists::kMostVariables>;

// The FNV-1a hash of all families.
std::uint64_t digest(const ComponentLists& lists) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      hash = (hash ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3;
    }
  };
  add(lists.n_variables());
  for (std::size_t variable = 0; variable < lists.n_variables(); ++variable) {
    add(lists.size(variable));
    for (const std::uint64_t set : lists.parents(variable)) add(set);
    for (const double score : lists.scores(variable)) add(std::bit_cast<std::uint64_t>(score));
  }
  return hash;
}

CREDENET_CLONES std::uint64_t smallest(const std::uint64_t* sets, std::size_t n) {
  std::uint64_t least = kEnd;
  for (std::size_t at = 0; at < n; ++at) least = sets[at] < least ? sets[at] : least;
  return least;
}

// The places where a set stands among the sets, as bits.
CREDENET_CLONES std::uint64_t places_of(std::uint64_t set, const std::uint64_t* sets,
                                        std::size_t n) {
  std::uint64_t places = 0;
  for (std::size_t at = 0; at < n; ++at) places |= std::uint64_t{sets[at] == set} << at;
  return places;
}

// The sets from `from` up to `to` (none: no limit) that are one variable larger than a node of the
// layer, ascending. Each comes with the variables that can have been placed last.
class Successors {
 public:
  Successors(Layer layer, std::size_t n_variables, std::uint64_t from, std::uint64_t to)
      : layer_(layer), n_(n_variables) {
    sets_.fill(kEnd);
    for (std::size_t variable = 0; variable < n_; ++variable) {
      at_[variable] = first(variable, from);
      end_[variable] = to == kEnd ? layer_.size() : first(variable, to);
      settle(variable);
    }
  }

  // Moves on to the next set. False at the end.
  bool next() {
    for (std::uint64_t rest = last_; rest != 0; rest &= rest - 1) {
      const auto variable = static_cast<std::size_t>(std::countr_zero(rest));
      ++at_[variable];
      settle(variable);
    }
    if (going_ == 0) return false;
    set_ = smallest(sets_.data(), n_);
    last_ = places_of(set_, sets_.data(), n_) & going_;
    return true;
  }

  [[nodiscard]] std::uint64_t set() const { return set_; }
  [[nodiscard]] std::uint64_t last() const { return last_; }
  [[nodiscard]] double score_without(std::size_t variable) const {
    return layer_[at_[variable]].score;
  }

 private:
  // The first node without the variable that becomes `from` or more with it.
  [[nodiscard]] std::size_t first(std::size_t variable, std::uint64_t from) const {
    const std::uint64_t bit = std::uint64_t{1} << variable;
    const std::uint64_t least = from > bit ? from - bit : 0;
    const auto found = std::ranges::lower_bound(layer_, least, {}, &LayerNode::set);
    return static_cast<std::size_t>(found - layer_.begin());
  }

  void settle(std::size_t variable) {
    const std::uint64_t bit = std::uint64_t{1} << variable;
    std::size_t& at = at_[variable];
    while (at < end_[variable] && (layer_[at].set & bit) != 0) ++at;
    if (at < end_[variable]) {
      going_ |= bit;
      sets_[variable] = layer_[at].set | bit;
    } else {
      going_ &= ~bit;
      sets_[variable] = kEnd;
    }
  }

  Layer layer_;
  std::size_t n_;
  std::array<std::size_t, ComponentLists::kMostVariables> at_{};
  std::array<std::size_t, ComponentLists::kMostVariables> end_{};
  Sets sets_{};
  std::uint64_t going_ = 0;  // Variables whose streams have not ended.
  std::uint64_t set_ = 0;
  std::uint64_t last_ = 0;
};

class BreadthFirst {
 public:
  BreadthFirst(const ComponentLists& lists, const Heuristic& heuristic,
               const BreadthFirstOptions& options, Control& control)
      : lists_(lists),
        best_parents_(lists),
        heuristic_(heuristic),
        options_(options),
        control_(control),
        store_(options.scratch_dir, digest(lists)) {
    if (!options_.start.empty()) {
      assert(options_.start.size() == lists_.n_variables());
      result_.families = options_.start;
      result_.score = lists_.score(options_.start);
    }
    kept_above_ = std::max(result_.score - tolerance(result_.score), store_.note().kept_above);
  }

  SearchResult run();

 private:
  struct Range {
    std::vector<LayerNode> nodes;
    std::uint64_t n_generated = 0;
    double bound = kNoScore;
  };

  Status search();
  std::optional<Status> make_layer();
  void fill(Range& range, Layer layer, std::uint64_t from, std::uint64_t to, unsigned worker);
  [[nodiscard]] double best_score(const Successors& successors, double rest) const;
  [[nodiscard]] std::vector<std::int32_t> network() const;
  void tighten(double bound);

  const ComponentLists& lists_;
  BestParents best_parents_;
  const Heuristic& heuristic_;
  const BreadthFirstOptions& options_;
  Control& control_;
  LayerStore store_;
  double kept_above_;
  std::atomic<bool> stop_{false};
  SearchResult result_;
  BoundTrace trace_;
};

void BreadthFirst::tighten(double bound) {
  result_.bound = std::min(result_.bound, std::max(bound, result_.score));
  trace_.record(result_.score, result_.bound);
}

// The value g of a set, or minus infinity if it can be left out, with at most `rest` to come.
double BreadthFirst::best_score(const Successors& successors, double rest) const {
  double best = kNoScore;
  for (std::uint64_t last = successors.last(); last != 0; last &= last - 1) {
    const auto variable = static_cast<std::size_t>(std::countr_zero(last));
    const double before = successors.score_without(variable);
    const double most = before + lists_.scores(variable)[0];
    if (most <= best || most + rest < kept_above_) continue;
    const std::size_t k = best_parents_(variable, successors.set() ^ (last & (0 - last)));
    if (k < lists_.size(variable)) best = std::max(best, before + lists_.scores(variable)[k]);
  }
  return best + rest < kept_above_ ? kNoScore : best;
}

void BreadthFirst::fill(Range& range, Layer layer, std::uint64_t from, std::uint64_t to,
                        unsigned worker) {
  Successors successors(layer, lists_.n_variables(), from, to);
  const Progress progress{store_.n_layers() - 1, lists_.n_variables(), result_.score,
                          result_.bound};
  while (successors.next()) {
    ++range.n_generated;
    const double rest = heuristic_(successors.set());
    const double score = best_score(successors, rest);
    if (score + rest > kNoScore) {
      range.nodes.push_back({successors.set(), score});
      range.bound = std::max(range.bound, score + rest);
    }
    if (range.n_generated % kSetsPerPoll != 0) continue;
    if (worker == 0 && !control_.poll(progress)) stop_ = true;
    if (stop_.load(std::memory_order_relaxed)) return;
  }
  if (worker == 0 && !control_.poll(progress)) stop_ = true;
}

// Makes the layer after the last one. Returns the status if a limit was met.
std::optional<Status> BreadthFirst::make_layer() {
  const Layer layer = store_.layer(store_.n_layers() - 1);
  const std::size_t n_ranges = (layer.size() + kNodesPerRange - 1) / kNodesPerRange;
  const auto start_of = [&](std::size_t range) {
    if (range == 0) return std::uint64_t{0};
    return range == n_ranges ? kEnd : layer[range * kNodesPerRange].set;
  };
  double bound = kNoScore;
  std::vector<Range> ranges;
  for (std::size_t done = 0; done < n_ranges; done += ranges.size()) {
    ranges.assign(std::min(kRangesPerThread * std::max(options_.n_threads, 1U), n_ranges - done),
                  {});
    parallel_blocks(ranges.size(), options_.n_threads, stop_, [&](std::size_t at, unsigned worker) {
      fill(ranges[at], layer, start_of(done + at), start_of(done + at + 1), worker);
    });
    std::size_t bytes = 0;
    for (Range& range : ranges) {
      bytes += range.nodes.capacity() * sizeof(LayerNode);
      result_.n_generated += range.n_generated;
      bound = std::max(bound, range.bound);
    }
    if (stop_) return Status::kStopped;
    for (Range& range : ranges) store_.append(std::move(range.nodes));
    bytes += store_.bytes();
    if (bytes > options_.max_bytes) return Status::kMemoryLimit;
    result_.peak_bytes = std::max(result_.peak_bytes, bytes);
  }
  result_.n_expanded += layer.size();
  store_.complete_layer({kept_above_, bound});
  tighten(bound);
  return {};
}

std::vector<std::int32_t> BreadthFirst::network() const {
  const std::size_t n = lists_.n_variables();
  std::vector<std::int32_t> families(n);
  LayerNode node = store_.layer(n).front();
  for (std::size_t k = n; k > 0; --k) {
    const Layer layer = store_.layer(k - 1);
    bool is_found = false;
    for (std::uint64_t rest = node.set; rest != 0 && !is_found; rest &= rest - 1) {
      const auto variable = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t others = node.set ^ (rest & (0 - rest));
      const auto before = std::ranges::lower_bound(layer, others, {}, &LayerNode::set);
      if (before == layer.end() || before->set != others) continue;
      const std::size_t family = lists_.best(variable, others);
      if (family == lists_.size(variable)) continue;
      if (before->score + lists_.scores(variable)[family] != node.score) continue;
      families[variable] = static_cast<std::int32_t>(family);
      node = *before;
      is_found = true;
    }
    assert(is_found);
  }
  return families;
}

Status BreadthFirst::search() {
  const std::size_t n = lists_.n_variables();
  for (std::size_t variable = 0; variable < n; ++variable) {
    if (lists_.size(variable) == 0) return Status::kInfeasible;
  }
  tighten(heuristic_(0));
  if (store_.n_layers() == 0) {
    store_.append({LayerNode{0, 0.0}});
    store_.complete_layer({kept_above_, result_.bound});
  }
  tighten(store_.note().bound);
  while (store_.n_layers() <= n && !store_.layer(store_.n_layers() - 1).empty()) {
    if (const auto limit = make_layer()) return *limit;
  }
  if (!store_.layer(store_.n_layers() - 1).empty()) {
    std::vector<std::int32_t> found = network();
    const double score = lists_.score(found);
    if (options_.start.empty() || score > result_.score) {
      result_.families = std::move(found);
      result_.score = score;
    }
    return Status::kOptimal;
  }
  return options_.start.empty() ? Status::kInfeasible : Status::kOptimal;
}

SearchResult BreadthFirst::run() {
  try {
    result_.status = search();
  } catch (...) {
    store_.remove_files();
    throw;
  }
  if (result_.status == Status::kOptimal || result_.status == Status::kInfeasible) {
    store_.remove_files();
    result_.bound = result_.score;
  }
  trace_.record(result_.score, result_.bound);
  result_.trace = trace_.take();
  return std::move(result_);
}

}  // namespace

SearchResult breadth_first(const ComponentLists& lists, const Heuristic& heuristic,
                           const BreadthFirstOptions& options, Control& control) {
  return BreadthFirst(lists, heuristic, options, control).run();
}

SearchResult breadth_first(const ComponentLists& lists, const OrderGraphOptions& heuristic,
                           BreadthFirstOptions options, Control& control) {
  const OrderGraph graph(lists);
  const MadeHeuristic made =
      graph.is_feasible() ? make_heuristic(lists, graph, heuristic, control)
                          : MadeHeuristic{.heuristic = std::make_unique<SimpleHeuristic>(lists)};
  if (made.heuristic) {
    options.max_bytes -= std::min(options.max_bytes, made.bytes);
    return breadth_first(lists, *made.heuristic, options, control);
  }
  SearchResult none;
  none.status = made.failure;
  none.families = options.start;
  if (!options.start.empty()) none.score = lists.score(options.start);
  return none;
}

}  // namespace credenet
