#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "credenet/families/search_result.hpp"
#include "credenet/lattice/component_lists.hpp"
#include "credenet/lattice/heuristics/heuristic.hpp"
#include "credenet/lattice/node_table.hpp"
#include "credenet/lattice/order_graph.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// How nodes are chosen during a round. The node expanded next has the least
//   loss so far + weight * loss of the rest (by the heuristic),
// both relative to every variable having its best family, so that a weight w promises a network
// that loses at most w times what the best one loses. With the simple heuristic nothing of the rest
// is lost, and the weight has no effect.
struct SearchRound {
  static constexpr std::size_t kNoWindow = std::numeric_limits<std::size_t>::max();

  double weight = 1;
  // Nodes with this many variables less than the deepest one expanded wait for the next round.
  std::size_t window = kNoWindow;
  // The round ends once the promise of its weight is kept, and a node expanded in it waits for the
  // next round when a better way to it turns up.
  bool ends_early = false;
};

// Best-first search in the order graph, in rounds over the same nodes. Any rounds end with a best
// network; they differ in how soon good ones turn up.
//
// Invariant: unless the best network known is optimal, some node that is open or waits lies on an
// optimal path and has been reached by it. So no network scores above the best of these nodes by
// loss so far + loss of the rest, whatever the weight, and nodes may be dropped that cannot beat
// the best network known. Nodes are opened again when a better way to them is found, which a
// heuristic that is not consistent, a weight or a window makes necessary.
class OrderGraphSearch {
 public:
  OrderGraphSearch(const ComponentLists& lists, const OrderGraph& graph, std::size_t max_bytes,
                   Control& control);

  // An incumbent: a family of each variable.
  void start_from(std::span<const std::int32_t> families);

  // Finds an incumbent from the empty set: always the variable is next that leaves most by the
  // heuristic.
  void dive(const Heuristic& heuristic);

  // The rounds 0, 1, …; the last one, which may go on forever, must be without limits.
  // Memory of the heuristic counts as other_bytes.
  void run(const Heuristic& heuristic, std::size_t other_bytes,
           const std::function<SearchRound(std::size_t)>& rounds);

  // The result so far; with the status stopped, unless run has ended or another one is given.
  [[nodiscard]] SearchResult take();
  void set_status(Status status) { status_ = status; }

 private:
  struct Entry {
    double priority;
    std::uint32_t depth;
    std::uint32_t at;
    // Orders a heap with the least priority on top; of equal ones the deeper node is first.
    bool operator<(const Entry& other) const {
      if (priority != other.priority) return priority > other.priority;
      return depth < other.depth;
    }
  };

  Status begin(const SearchRound& round);
  Status play(const SearchRound& round);
  void expand(std::uint32_t at, const SearchRound& round);
  [[nodiscard]] bool poll();
  bool make_room(std::size_t n_nodes, std::size_t n_open);
  [[nodiscard]] Entry entry(std::uint32_t at, double weight) const;
  void lower_bound_to(double loss);
  void scan_bound();
  void found(std::uint32_t before, std::size_t variable);
  void accept(std::vector<std::int32_t> families);
  [[nodiscard]] double limit() const { return best_loss_ - tolerance_ / 2; }
  [[nodiscard]] double bound() const;

  const ComponentLists& lists_;
  const OrderGraph& graph_;
  SimpleHeuristic simple_;
  const Heuristic* heuristic_ = &simple_;
  std::size_t max_bytes_;
  std::size_t other_bytes_ = 0;
  Control& control_;
  double total_;  // Sum of the best scores.
  double tolerance_;
  double best_loss_ = std::numeric_limits<double>::infinity();
  double least_loss_ = 0;  // No network loses less.
  double last_recorded_ = 0;
  bool has_waiting_ = false;
  std::uint64_t last_scan_ = 0;
  NodeTable nodes_;
  std::vector<Entry> open_;
  SearchResult result_;
  Status status_ = Status::kStopped;
  BoundTrace trace_;
};

}  // namespace credenet
