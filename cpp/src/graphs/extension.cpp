// Consistent extension (Dor and Tarsi 1992): repeatedly remove a node without outgoing
// edges each of whose undirected neighbours is adjacent to all its other neighbours; it can be the
// last one, with its undirected edges pointing at it. If there is none, there is no extension, and
// which of several is removed does not matter. Whether a node can go changes only when a neighbour
// goes, so a worklist replaces the scan over all nodes: every edge causes at most two checks. A
// check reads the number of outgoing edges that are left; for a node without any it is quadratic in
// a degree at worst and ended by the first missing edge.
#include "credenet/graphs/extension.hpp"

#include <cassert>

namespace credenet {
namespace {

class SinkRemoval {
 public:
  SinkRemoval(const MixedGraph& graph, Control& control)
      : graph_(graph),
        control_(control),
        lists_(graph.skeleton()),
        gone_(graph.n_nodes(), false),
        is_pending_(graph.n_nodes(), true),
        n_outgoing_(graph.n_nodes(), 0) {
    for (auto node = static_cast<Node>(graph.n_nodes()); node-- > 0;) {
      for (std::size_t slot = lists_.begin_slot(node); slot < lists_.end_slot(node); ++slot) {
        n_outgoing_[node] += graph.mark(slot) == Mark::kOut ? 1 : 0;
      }
      pending_.push_back(node);
    }
  }

  [[nodiscard]] bool is_done() const { return order_.size() == graph_.n_nodes(); }
  [[nodiscard]] std::vector<Node> take_order() { return std::move(order_); }

  // Removes the nodes that satisfy the rule.
  void run() {
    while (!pending_.empty()) {
      const Node node = pending_.back();
      pending_.pop_back();
      is_pending_[node] = false;
      if (is_sink(node) && new_colliders(node, 0) == 0) remove(node);
    }
  }

  // Removes the node without outgoing edges that makes the fewest new colliders.
  void force() {
    Node best = -1;
    std::size_t fewest = kNoLimit;
    for (Node node = 0; node < static_cast<Node>(graph_.n_nodes()); ++node) {
      if (gone_[node] || !is_sink(node)) continue;
      const std::size_t n_new = new_colliders(node, fewest);
      if (n_new >= fewest) continue;
      best = node;
      fewest = n_new;
    }
    assert(best >= 0);
    remove(best);
  }

 private:
  using Mark = MixedGraph::Mark;
  static constexpr std::size_t kNoLimit = ~std::size_t{0};

  [[nodiscard]] bool is_stopped() {
    stopped_ = stopped_ || !control_.poll({.done = order_.size(), .total = graph_.n_nodes()});
    return stopped_;
  }

  [[nodiscard]] bool is_sink(Node node) const { return n_outgoing_[node] == 0; }

  // The number of pairs of an undirected neighbour and another one that are not adjacent, those of
  // two undirected ones twice; counted no further than past the limit, and 0 once it is stopped.
  [[nodiscard]] std::size_t new_colliders(Node node, std::size_t limit) {
    std::size_t n_new = 0;
    for (std::size_t slot = lists_.begin_slot(node); slot < lists_.end_slot(node); ++slot) {
      const Node neighbour = lists_.target(slot);
      if (gone_[neighbour] || !graph_.is_undirected(slot)) continue;
      if (is_stopped()) return 0;
      for (const Node other : lists_[node]) {
        if (other == neighbour || gone_[other] || graph_.adjacent(neighbour, other)) continue;
        if (++n_new > limit) return n_new;
      }
    }
    return n_new;
  }

  void remove(Node node) {
    gone_[node] = true;
    order_.push_back(node);
    for (std::size_t slot = lists_.begin_slot(node); slot < lists_.end_slot(node); ++slot) {
      const Node neighbour = lists_.target(slot);
      if (gone_[neighbour]) continue;
      if (graph_.mark(slot) == Mark::kIn) --n_outgoing_[neighbour];
      if (is_pending_[neighbour]) continue;
      is_pending_[neighbour] = true;
      pending_.push_back(neighbour);
    }
  }

  const MixedGraph& graph_;
  Control& control_;
  bool stopped_ = false;
  const Adjacency& lists_;
  std::vector<bool> gone_;
  std::vector<bool> is_pending_;
  std::vector<std::size_t> n_outgoing_;  // Number of edges to nodes that are not gone.
  std::vector<Node> pending_;
  std::vector<Node> order_;
};

}  // namespace

std::optional<std::vector<Node>> extension_order(const MixedGraph& graph) {
  NoControl control;
  SinkRemoval removal(graph, control);
  removal.run();
  if (!removal.is_done()) return std::nullopt;
  return removal.take_order();
}

std::vector<Node> nearest_extension_order(const MixedGraph& graph, Control& control) {
  SinkRemoval removal(graph, control);
  for (removal.run(); !removal.is_done(); removal.run()) removal.force();
  return removal.take_order();
}

}  // namespace credenet
