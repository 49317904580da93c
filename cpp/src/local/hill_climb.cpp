// Greedy climbing over graphs. For every child the gain of every candidate that could be added or
// deleted is kept, and remembered for the parent sets that it had lately; a move touches one child,
// a reversal two, and only their gains are asked for again, those of a perturbed graph together.
// Ancestors are kept as bits: adding an edge is legal unless the child is an ancestor of the
// parent, reversing it unless the parent is one of another parent of the child. With a tabu list
// (Glover) the best move to a graph not seen lately is made even if it is for the worse; restarts
// perturb the best graph. The best additions of each child are sorted, so a move costs a few looks
// at each child, besides the gains. Of equally good moves the first is made: by child, deletions
// and reversals before additions, then by parent.
#include "credenet/local/hill_climb.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <set>

#include "credenet/local/ancestors.hpp"
#include "credenet/local/child_gains.hpp"
#include "credenet/local/order_search.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-9;  // A gain up to this counts as none: it may come from rounding.

enum class MoveKind : std::uint8_t { kNone, kAdd, kDelete, kReverse };

struct Move {
  MoveKind kind = MoveKind::kNone;
  std::uint16_t parent = 0;
  std::uint16_t child = 0;
  double gain = -kInfinity;
};

void toggle(std::vector<std::uint16_t>& set, std::uint16_t changed) {
  const auto at = std::ranges::lower_bound(set, changed);
  if (at != set.end() && *at == changed) {
    set.erase(at);
  } else {
    set.insert(at, changed);
  }
}

class Climb {
 public:
  Climb(LocalScores& scores, const ParentSets& start, const HillClimbOptions& options,
        Control& control)
      : scores_(scores),
        options_(options),
        control_(control),
        random_(options.seed),
        n_(scores.n_variables()),
        graph_(start),
        local_(n_),
        gains_(n_),
        children_(n_),
        edges_(n_),
        best_edge_(n_, -kInfinity),
        additions_(n_ * kNearby),
        ancestors_(n_),
        known_(n_, options.gain_bytes) {
    for (const auto& [first, second] : options.adjacent) kept_.insert(std::minmax(first, second));
  }

  ClimbResult run() {
    [[maybe_unused]] const bool is_acyclic = ancestors_.find(graph_);
    assert(is_acyclic);
    for (std::size_t v = 0; v < n_; ++v) {
      local_[v] = scores_.score(v, graph_[v]);
      n_edges_ += graph_[v].size();
      for (const std::uint16_t parent : graph_[v]) {
        children_[parent].push_back(static_cast<std::uint16_t>(v));
      }
      dirty_.push_back(static_cast<std::uint16_t>(v));
    }
    result_.parents = graph_;
    set_best(score());
    climb();
    for (std::size_t restart = 0; restart < options_.n_restarts && !stopped_; ++restart) {
      move_to_best();
      perturb();
      climb();
    }
    result_.status = stopped_ ? Status::kStopped : Status::kLocalOptimum;
    result_.trace = trace_.take();
    return std::move(result_);
  }

 private:
  // The moves of the edge from a parent.
  struct Edge {
    double deletion = -kInfinity;
    double reversal = -kInfinity;
  };
  struct Addition {
    double gain = -kInfinity;
    std::uint16_t parent = 0;
  };
  static constexpr std::size_t kNearby = 8;  // Additions of a child that are kept for quick choice.

  void poll() {
    if (!control_.poll({++n_polls_, 0, result_.score, kInfinity})) stopped_ = true;
  }

  [[nodiscard]] double score() const {
    double sum = 0;
    for (const double score : local_) sum += score;
    return sum;
  }

  // Whether the current graph is the best so far; if so, it is kept.
  bool keep_best() {
    const double now = score();
    if (!(now > result_.score + kTolerance)) {
      if (!(now >= result_.score) || n_edges_ >= n_best_edges_) return false;
    }
    for (const std::uint16_t child : moved_) result_.parents[child] = graph_[child];
    set_best(now);
    return true;
  }

  void set_best(double score) {
    moved_.clear();
    result_.score = score;
    n_best_edges_ = n_edges_;
    trace_.record(score, kInfinity);
  }

  // Computes the missing gains of each child that was changed.
  void refresh() {
    constexpr std::size_t kTogether = 32;  // Children whose gains are asked for at a time.
    std::ranges::sort(dirty_);
    dirty_.erase(std::unique(dirty_.begin(), dirty_.end()), dirty_.end());
    std::vector<std::uint16_t> unknown;
    for (const std::uint16_t child : dirty_) {
      if (!gains_[child]) gains_[child] = known_.find(child, graph_[child]);
      if (!gains_[child]) unknown.push_back(child);
    }
    for (std::size_t at = 0; at < unknown.size() && !stopped_; at += kTogether) {
      find_gains(std::span(unknown).subspan(at, std::min(kTogether, unknown.size() - at)));
      if (unknown.size() > kTogether) poll();
    }
    if (stopped_) return;
    for (const std::uint16_t child : dirty_) {
      local_[child] = gains_[child]->score;
      find_additions(child);
    }
    for (const std::uint16_t child : dirty_) {
      find_edges(child);
      for (const std::uint16_t of_child : children_[child]) find_edges(of_child);
    }
    dirty_.clear();
  }

  void find_gains(std::span<const std::uint16_t> children) {
    asked_.clear();
    for (const std::uint16_t child : children) {
      const std::vector<std::uint16_t>& parents = graph_[child];
      const bool is_full = parents.size() >= scores_.max_parents(child);
      for (const std::uint16_t candidate : scores_.candidates(child)) {
        if (is_full && !std::ranges::binary_search(parents, candidate)) continue;
        asked_.push_back({child, candidate});
      }
    }
    answers_.resize(asked_.size());
    scores_.find_gains(graph_, asked_, answers_);
    result_.n_expanded += asked_.size();
    std::size_t answer = 0;
    for (const std::uint16_t child : children) {
      const auto candidates = scores_.candidates(child);
      const auto found = std::make_shared<ChildGains>();
      found->parents = graph_[child];
      found->score = scores_.score(child, graph_[child]);
      found->gains.assign(candidates.size(), -kInfinity);
      for (std::size_t at = 0; at < candidates.size() && answer < asked_.size(); ++at) {
        if (asked_[answer].child != child || asked_[answer].changed != candidates[at]) continue;
        const double gain = answers_[answer++];
        // If it is not a number, the change is impossible before and after.
        if (!std::isnan(gain)) found->gains[at] = gain;
      }
      found->sort_additions(candidates);
      known_.add(child, found);
      gains_[child] = found;
    }
  }

  // The gain by adding a candidate to a child's parents, or removing it.
  [[nodiscard]] double gain_of(std::size_t child, std::uint16_t candidate) const {
    const auto candidates = scores_.candidates(child);
    const auto at = std::ranges::lower_bound(candidates, candidate);
    if (at == candidates.end() || *at != candidate) return -kInfinity;
    if (gains_[child])
      return gains_[child]->gains[static_cast<std::size_t>(at - candidates.begin())];
    const std::vector<std::uint16_t>& parents = graph_[child];
    if (parents.size() >= scores_.max_parents(child) &&
        !std::ranges::binary_search(parents, candidate)) {
      return -kInfinity;
    }
    const ParentChange change{static_cast<std::uint16_t>(child), candidate};
    double gain = 0;
    scores_.find_gains(graph_, {&change, 1}, {&gain, 1});
    return std::isnan(gain) ? -kInfinity : gain;
  }

  void find_edges(std::size_t child) {
    edges_[child].clear();
    best_edge_[child] = -kInfinity;
    for (const std::uint16_t parent : graph_[child]) {
      const Edge edge{deletion(child, parent).gain, reversal(child, parent).gain};
      edges_[child].push_back(edge);
      best_edge_[child] = std::max({best_edge_[child], edge.deletion, edge.reversal});
    }
  }

  void find_additions(std::size_t child) {
    const ChildGains& own = *gains_[child];
    const auto candidates = scores_.candidates(child);
    for (std::size_t at = 0; at < kNearby; ++at) {
      Addition& addition = additions_[child * kNearby + at];
      addition = {};
      if (at >= own.best.size()) continue;
      addition = {own.gains[own.best[at]], candidates[own.best[at]]};
    }
  }

  // A random number of an edge. The mark of a graph combines those of its edges, so it is the same
  // whichever way the graph came about.
  [[nodiscard]] static std::uint64_t mark(std::size_t parent, std::size_t child) {
    return Random(parent, child + 1)();
  }
  [[nodiscard]] std::uint64_t mark_after(const Move& move) const {
    std::uint64_t result = mark_ ^ mark(move.parent, move.child);
    if (move.kind == MoveKind::kReverse) result ^= mark(move.child, move.parent);
    return result;
  }
  [[nodiscard]] bool is_tabu(const Move& move) const {
    return !tabu_.empty() && std::ranges::find(tabu_, mark_after(move)) != tabu_.end();
  }

  [[nodiscard]] bool may_reverse(std::uint16_t parent, std::size_t child) const {
    return std::ranges::none_of(graph_[child], [&](std::uint16_t other) {
      return other != parent && ancestors_.contains(other, parent);
    });
  }

  [[nodiscard]] bool may_add(const Move& move) const {
    return !ancestors_.contains(move.parent, move.child) &&
           !std::ranges::binary_search(graph_[move.child], move.parent);
  }
  // A deletion that changes no score is better than no move.
  [[nodiscard]] Move deletion(std::size_t child, std::uint16_t parent) const {
    const auto self = static_cast<std::uint16_t>(child);
    const double gain =
        kept_.contains(std::minmax(parent, self)) ? -kInfinity : gain_of(child, parent);
    return {MoveKind::kDelete, parent, self, gain >= 0 ? gain + 2 * kTolerance : gain};
  }
  [[nodiscard]] Move reversal(std::size_t child, std::uint16_t parent) const {
    const auto self = static_cast<std::uint16_t>(child);
    const double added = gain_of(parent, self);
    return {MoveKind::kReverse, parent, self,
            added == 0 ? -kInfinity : gain_of(child, parent) + added};
  }

  [[nodiscard]] Move best_move(double least) const {
    Move best;
    best.gain = least;
    for (std::size_t child = 0; child < n_; ++child) {
      const auto self = static_cast<std::uint16_t>(child);
      const bool has_edge = best_edge_[child] > best.gain;
      for (std::size_t at = 0; has_edge && at < edges_[child].size(); ++at) {
        const Edge& edge = edges_[child][at];
        const std::uint16_t parent = graph_[child][at];
        if (edge.deletion > best.gain) {
          const Move without{MoveKind::kDelete, parent, self, edge.deletion};
          if (!is_tabu(without)) best = without;
        }
        if (edge.reversal > best.gain) {
          const Move reversed{MoveKind::kReverse, parent, self, edge.reversal};
          if (may_reverse(parent, child) && !is_tabu(reversed)) best = reversed;
        }
      }
      find_better_addition(self, best);
    }
    return best;
  }

  void find_better_addition(std::uint16_t child, Move& best) const {
    const auto is_better = [&](std::uint16_t parent, double gain) {
      const Move with{MoveKind::kAdd, parent, child, gain};
      if (gain == 0 || !may_add(with) || is_tabu(with)) return false;
      best = with;
      return true;
    };
    const Addition* const nearby = additions_.data() + child * kNearby;
    for (std::size_t at = 0; at < kNearby; ++at) {
      if (nearby[at].gain <= best.gain || is_better(nearby[at].parent, nearby[at].gain)) return;
    }
    const ChildGains& own = *gains_[child];
    const auto candidates = scores_.candidates(child);
    for (std::size_t at = kNearby; at < own.best.size(); ++at) {
      const double gain = own.gains[own.best[at]];
      if (gain <= best.gain || is_better(candidates[own.best[at]], gain)) return;
    }
    if (!own.has_more) return;
    for (std::size_t at = 0; at < candidates.size(); ++at) {
      if (own.gains[at] > best.gain) is_better(candidates[at], own.gains[at]);
    }
  }

  void make(const Move& move) {
    mark_ = mark_after(move);
    change(move.child, move.parent);
    if (move.kind == MoveKind::kAdd) {
      ancestors_.add(move.parent, move.child);
      ++n_edges_;
      return;
    }
    ancestors_.remove(graph_, move.child);
    if (move.kind == MoveKind::kReverse) {
      change(move.parent, move.child);
      ancestors_.add(move.child, move.parent);
    } else {
      --n_edges_;
    }
  }

  void change(std::uint16_t child, std::uint16_t changed) {
    toggle(graph_[child], changed);
    toggle(children_[changed], child);
    gains_[child] = nullptr;
    dirty_.push_back(child);
    moved_.push_back(child);
  }

  // A move is made for its gain. Gains of large scores are rounded, so a circle of moves might gain
  // by each of them. A climb therefore ends if the score does not rise for more moves than there
  // are edges to delete for nothing.
  void climb() {
    tabu_.clear();
    refresh();
    std::size_t n_worse = 0;
    std::size_t n_level = 0;      // Moves since the score rose, none of them for the worse.
    double highest = -kInfinity;  // Highest score in the level moves.
    while (!stopped_) {
      const bool may_worsen = n_worse < options_.max_tabu && options_.tabu_length > 0;
      const Move move = best_move(may_worsen ? -kInfinity : kTolerance);
      if (move.kind == MoveKind::kNone) break;
      if (options_.tabu_length > 0) {
        if (tabu_.size() < options_.tabu_length) tabu_.push_back(0);
        std::rotate(tabu_.begin(), tabu_.end() - 1, tabu_.end());
        tabu_.front() = mark_;
      }
      make(move);
      refresh();
      if (stopped_) break;
      n_worse = keep_best() ? 0 : n_worse + 1;
      const double now = score();
      if (may_worsen || now > highest) {
        n_level = 0;
        highest = now;
      } else if (++n_level > n_edges_ + n_) {
        break;
      }
      poll();
    }
  }

  // Returns to the best graph.
  void move_to_best() {
    for (const std::uint16_t child : moved_) {
      if (graph_[child] == result_.parents[child]) continue;
      for (const std::uint16_t parent : graph_[child]) toggle(children_[parent], child);
      graph_[child] = result_.parents[child];
      for (const std::uint16_t parent : graph_[child]) toggle(children_[parent], child);
      gains_[child] = nullptr;
      dirty_.push_back(child);
    }
    moved_.clear();
    n_edges_ = n_best_edges_;
    ancestors_.find(graph_);
    refresh();
  }

  // Makes some random moves: half of them delete or reverse an edge, the others add one, be it one
  // that changes nothing by itself.
  void perturb() {
    const std::size_t n_moves =
        options_.n_perturbations != 0 ? options_.n_perturbations : std::max<std::size_t>(n_ / 2, 4);
    for (std::size_t tries = 0, n_made = 0; n_made < n_moves && tries < 20 * n_moves; ++tries) {
      const std::size_t child = random_.below(n_);
      const std::vector<std::uint16_t>& parents = graph_[child];
      Move move;
      if (random_.below(2) == 0) {
        const auto candidates = scores_.candidates(child);
        if (candidates.empty()) continue;
        const std::uint16_t parent = candidates[random_.below(candidates.size())];
        move = {MoveKind::kAdd, parent, static_cast<std::uint16_t>(child)};
        if (!may_add(move)) continue;
        move.gain = gain_of(child, parent);
      } else {
        if (parents.empty()) continue;
        const std::uint16_t parent = parents[random_.below(parents.size())];
        const bool reverses = random_.below(2) == 0 && may_reverse(parent, child);
        move = reverses ? reversal(child, parent) : deletion(child, parent);
      }
      if (move.gain == -kInfinity) continue;
      make(move);
      ++n_made;
    }
  }

  LocalScores& scores_;
  const HillClimbOptions& options_;
  Control& control_;
  Random random_;
  std::size_t n_;
  ParentSets graph_;
  std::size_t n_edges_ = 0;
  std::vector<double> local_;
  std::vector<std::shared_ptr<const ChildGains>> gains_;  // Gains of each child; null if not known.
  ParentSets children_;                                   // Children of each variable, ascending.
  std::vector<std::vector<Edge>> edges_;                  // Edges of each child, by parent.
  std::vector<double> best_edge_;                         // Best gain of an edge of each child.
  std::vector<Addition> additions_;  // The best kNearby additions of each child, the best first.
  Ancestors ancestors_;
  KnownGains known_;
  std::vector<std::uint16_t> dirty_;  // Children whose gains, and edges, are to be found.
  std::vector<std::uint16_t> moved_;  // Children changed since the best graph.
  std::set<std::pair<std::uint16_t, std::uint16_t>> kept_;  // Pairs whose edge is not deleted.
  std::uint64_t mark_ = 0;
  std::vector<std::uint64_t> tabu_;  // Marks of the graphs left lately.
  std::vector<ParentChange> asked_;
  std::vector<double> answers_;
  std::size_t n_best_edges_ = 0;
  std::uint64_t n_polls_ = 0;
  bool stopped_ = false;
  BoundTrace trace_;
  ClimbResult result_;
};

}  // namespace

ClimbResult hill_climb(LocalScores& scores, const ParentSets& start,
                       const HillClimbOptions& options, Control& control) {
  return Climb(scores, start, options, control).run();
}

SearchResult hill_climb(const FamilyLists& lists, std::span<const std::int32_t> start,
                        const HillClimbOptions& options, Control& control) {
  const std::size_t n = lists.n_variables();
  TableScores scores(lists, !options.adjacent.empty());
  std::vector<std::int32_t> families(start.begin(), start.end());
  if (start.empty()) {
    for (std::size_t v = 0; v < n; ++v) {
      families.push_back(static_cast<std::int32_t>(scores.best_family(v, {})));
      if (lists.begin(v) + scores.best_family(v, {}) < lists.end(v)) continue;
      NoControl no_control;
      SearchResult first = order_search(lists, {}, {.n_iterations = 1, .n_orders = 1}, no_control);
      if (first.status == Status::kInfeasible) return first;
      families = std::move(first.families);
      break;
    }
  }
  ParentSets graph(n);
  for (std::size_t v = 0; v < n; ++v) {
    const std::size_t family = lists.begin(v) + static_cast<std::size_t>(families[v]);
    for (const std::int32_t parent : lists.parents_of(family)) {
      graph[v].push_back(static_cast<std::uint16_t>(parent));
    }
    std::ranges::sort(graph[v]);
  }
  ClimbResult found = hill_climb(scores, graph, options, control);
  SearchResult result;
  result.bound = 0;
  result.score = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const std::size_t family = scores.best_family(v, found.parents[v]);
    result.families.push_back(static_cast<std::int32_t>(family));
    result.score += lists.scores[lists.begin(v) + family];
    result.bound += lists.scores[lists.begin(v)];
  }
  result.status = result.score == result.bound ? Status::kOptimal : found.status;
  result.n_expanded = found.n_expanded;
  for (BoundPoint point : found.trace) {
    point.bound = result.bound;
    result.trace.push_back(point);
  }
  return result;
}

}  // namespace credenet
