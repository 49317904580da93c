// Greedy climbing over graphs. For every child the change of its local score by every candidate
// that could be added or deleted is kept; a move touches one child, a reversal two, and only their
// changes are asked for again. Ancestors are kept as bits: adding an edge is legal unless the child
// is an ancestor of the parent, reversing it unless the parent is one of another parent of the
// child. With a tabu list (Glover) the best move to a graph not seen lately is made even if it is
// for the worse; restarts perturb the best graph. A move costs a pass over the children whose best
// addition could win, besides the scores.
#include "credenet/local/hill_climb.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

#include "credenet/local/order_search.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-9;  // a gain up to this is none

enum class MoveKind : std::uint8_t { kNone, kAdd, kDelete, kReverse };

struct Move {
  MoveKind kind = MoveKind::kNone;
  std::uint16_t parent = 0;
  std::uint16_t child = 0;
  double gain = -kInfinity;
};

// Which variables lead to which.
class Ancestors {
 public:
  explicit Ancestors(std::size_t n)
      : n_words_((n + 63) / 64), words_(n * n_words_), waiting_(n), children_(n) {}

  [[nodiscard]] bool contains(std::size_t variable, std::size_t ancestor) const {
    return (words_[variable * n_words_ + ancestor / 64] >> (ancestor % 64) & 1) != 0;
  }

  // False if the graph has a cycle.
  bool find(const ParentSets& graph) {
    std::ranges::fill(words_, 0);
    for (std::size_t v = 0; v < graph.size(); ++v) children_[v].clear();
    ready_.clear();
    for (std::size_t v = 0; v < graph.size(); ++v) {
      waiting_[v] = graph[v].size();
      for (const std::uint16_t parent : graph[v]) {
        children_[parent].push_back(static_cast<std::uint16_t>(v));
      }
      if (waiting_[v] == 0) ready_.push_back(static_cast<std::uint16_t>(v));
    }
    for (std::size_t at = 0; at < ready_.size(); ++at) {
      const std::size_t parent = ready_[at];
      for (const std::uint16_t child : children_[parent]) {
        for (std::size_t word = 0; word < n_words_; ++word) {
          words_[child * n_words_ + word] |= words_[parent * n_words_ + word];
        }
        words_[child * n_words_ + parent / 64] |= std::uint64_t{1} << (parent % 64);
        if (--waiting_[child] == 0) ready_.push_back(child);
      }
    }
    return ready_.size() == graph.size();
  }

 private:
  std::size_t n_words_;
  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> waiting_;  // parents not yet dealt with
  ParentSets children_;
  std::vector<std::uint16_t> ready_;
};

void toggle(std::vector<std::uint16_t>& parents, std::uint16_t changed) {
  const auto at = std::ranges::lower_bound(parents, changed);
  if (at != parents.end() && *at == changed) {
    parents.erase(at);
  } else {
    parents.insert(at, changed);
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
        changes_(n_),
        best_addition_(n_, -kInfinity),
        ancestors_(n_) {
    for (const auto& [first, second] : options.adjacent) kept_.insert(std::minmax(first, second));
  }

  ClimbResult run() {
    [[maybe_unused]] const bool is_acyclic = ancestors_.find(graph_);
    assert(is_acyclic);
    for (std::size_t v = 0; v < n_; ++v) local_[v] = scores_.score(v, graph_[v]);
    keep_best();
    for (std::size_t v = 0; v < n_ && !stopped_; ++v) {
      refresh(v);
      poll();
    }
    climb();
    for (std::size_t restart = 0; restart < options_.n_restarts && !stopped_; ++restart) {
      move_to(result_.parents);
      perturb();
      climb();
    }
    result_.status = stopped_ ? Status::kStopped : Status::kLocalOptimum;
    result_.trace = trace_.take();
    return std::move(result_);
  }

 private:
  void poll() {
    if (!control_.poll({++n_polls_, 0, result_.score, kInfinity})) stopped_ = true;
  }

  [[nodiscard]] double score() const {
    double sum = 0;
    for (const double score : local_) sum += score;
    return sum;
  }

  // Whether the graph at hand is the best so far.
  bool keep_best() {
    const double now = score();
    const bool is_first = result_.parents.empty();
    if (!is_first && now <= result_.score + kTolerance) {
      if (now < result_.score || n_edges() >= n_best_edges_) return false;
    }
    result_.parents = graph_;
    result_.score = now;
    n_best_edges_ = n_edges();
    trace_.record(now, kInfinity);
    return true;
  }

  [[nodiscard]] std::size_t n_edges() const {
    std::size_t count = 0;
    for (const auto& parents : graph_) count += parents.size();
    return count;
  }

  // Asks for the changes of a child again.
  void refresh(std::size_t child) {
    const auto candidates = scores_.candidates(child);
    const std::vector<std::uint16_t>& parents = graph_[child];
    const bool is_full = parents.size() >= scores_.max_parents(child);
    changes_[child].assign(candidates.size(), -kInfinity);
    asked_.clear();
    for (const std::uint16_t candidate : candidates) {
      if (is_full && !std::ranges::binary_search(parents, candidate)) continue;
      asked_.push_back({static_cast<std::uint16_t>(child), candidate});
    }
    answers_.resize(asked_.size());
    scores_.score_changes(graph_, asked_, answers_);
    result_.n_expanded += asked_.size();
    best_addition_[child] = -kInfinity;
    for (std::size_t at = 0, answer = 0; at < candidates.size() && answer < asked_.size(); ++at) {
      if (asked_[answer].changed != candidates[at]) continue;
      const double change = answers_[answer++] - local_[child];
      if (std::isnan(change)) continue;  // impossible before and after
      changes_[child][at] = change;
      if (!std::ranges::binary_search(parents, candidates[at])) {
        best_addition_[child] = std::max(best_addition_[child], change);
      }
    }
  }

  [[nodiscard]] double change_of(std::size_t child, std::uint16_t candidate) const {
    const auto candidates = scores_.candidates(child);
    const auto at = std::ranges::lower_bound(candidates, candidate);
    if (at == candidates.end() || *at != candidate) return -kInfinity;
    return changes_[child][static_cast<std::size_t>(at - candidates.begin())];
  }

  // One number for a graph, the same whichever way it came about.
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

  [[nodiscard]] Move addition(std::size_t child, std::size_t at) const {
    const std::uint16_t parent = scores_.candidates(child)[at];
    return {MoveKind::kAdd, parent, static_cast<std::uint16_t>(child), changes_[child][at]};
  }
  [[nodiscard]] bool may_add(const Move& move) const {
    return !ancestors_.contains(move.parent, move.child) &&
           !std::ranges::binary_search(graph_[move.child], move.parent);
  }
  // A deletion that changes no score is better than no move.
  [[nodiscard]] Move deletion(std::size_t child, std::uint16_t parent) const {
    const auto self = static_cast<std::uint16_t>(child);
    const double gain =
        kept_.contains(std::minmax(parent, self)) ? -kInfinity : change_of(child, parent);
    return {MoveKind::kDelete, parent, static_cast<std::uint16_t>(child),
            gain >= 0 ? gain + 2 * kTolerance : gain};
  }
  [[nodiscard]] Move reversal(std::size_t child, std::uint16_t parent) const {
    const double added = change_of(parent, static_cast<std::uint16_t>(child));
    return {MoveKind::kReverse, parent, static_cast<std::uint16_t>(child),
            added == 0 ? -kInfinity : change_of(child, parent) + added};
  }

  [[nodiscard]] Move best_move(double least) const {
    Move best;
    best.gain = least;
    for (std::size_t child = 0; child < n_; ++child) {
      for (const std::uint16_t parent : graph_[child]) {
        const Move without = deletion(child, parent);
        if (without.gain > best.gain && !is_tabu(without)) best = without;
        const Move reversed = reversal(child, parent);
        if (reversed.gain > best.gain && may_reverse(parent, child) && !is_tabu(reversed)) {
          best = reversed;
        }
      }
      if (best_addition_[child] <= best.gain) continue;
      for (std::size_t at = 0; at < changes_[child].size(); ++at) {
        if (changes_[child][at] <= best.gain) continue;
        const Move with = addition(child, at);
        if (with.gain != 0 && may_add(with) && !is_tabu(with)) best = with;
      }
    }
    return best;
  }

  void make(const Move& move) {
    mark_ = mark_after(move);
    toggle(graph_[move.child], move.parent);
    update(move.child);
    if (move.kind == MoveKind::kReverse) {
      toggle(graph_[move.parent], move.child);
      update(move.parent);
    }
    [[maybe_unused]] const bool is_acyclic = ancestors_.find(graph_);
    assert(is_acyclic);
  }

  void update(std::size_t child) {
    local_[child] = scores_.score(child, graph_[child]);
    refresh(child);
  }

  void climb() {
    tabu_.clear();
    std::size_t n_worse = 0;
    while (!stopped_) {
      const bool may_worsen = n_worse < options_.max_tabu && options_.tabu_length > 0;
      const Move move = best_move(may_worsen ? -kInfinity : kTolerance);
      if (move.kind == MoveKind::kNone) break;
      if (options_.tabu_length > 0) {
        if (tabu_.size() < options_.tabu_length) tabu_.push_back(0);
        std::ranges::rotate(tabu_, tabu_.end() - 1);
        tabu_.front() = mark_;
      }
      make(move);
      n_worse = keep_best() ? 0 : n_worse + 1;
      poll();
    }
  }

  void move_to(const ParentSets& graph) {
    for (std::size_t v = 0; v < n_; ++v) {
      if (graph_[v] == graph[v]) continue;
      graph_[v] = graph[v];
      update(v);
    }
    ancestors_.find(graph_);
  }

  // Some random moves: half of them delete or reverse an edge, the others add one, be it one that
  // changes nothing by itself.
  void perturb() {
    const std::size_t n_moves =
        options_.n_perturbations != 0 ? options_.n_perturbations : std::max<std::size_t>(n_ / 2, 4);
    for (std::size_t tries = 0, n_made = 0; n_made < n_moves && tries < 20 * n_moves; ++tries) {
      const std::size_t child = random_.below(n_);
      const std::vector<std::uint16_t>& parents = graph_[child];
      Move move;
      if (random_.below(2) == 0) {
        if (changes_[child].empty()) continue;
        move = addition(child, random_.below(changes_[child].size()));
        if (!may_add(move)) continue;
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
  std::vector<double> local_;
  std::vector<std::vector<double>> changes_;  // of each child by candidate; -infinity if impossible
  std::vector<double> best_addition_;         // of each child, legal or not
  Ancestors ancestors_;
  std::set<std::pair<std::uint16_t, std::uint16_t>> kept_;  // pairs whose edge is not deleted
  std::uint64_t mark_ = 0;
  std::vector<std::uint64_t> tabu_;  // graphs left lately
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
