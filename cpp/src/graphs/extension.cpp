// Consistent extension (Dor and Tarsi 1992): take away, again and again, a node without outgoing
// edges each of whose undirected neighbours is adjacent to all its other neighbours; it can be the
// last one, with its undirected edges pointing at it. If there is none, there is no extension, and
// which of several is taken does not matter. Whether a node can go changes only when a neighbour
// goes, so a worklist replaces the scan over all nodes: every edge causes at most two checks, each
// quadratic in a degree at worst and ended by the first missing edge.
#include "credenet/graphs/extension.hpp"

namespace credenet {

std::optional<std::vector<Node>> extension_order(const MixedGraph& graph) {
  using Mark = MixedGraph::Mark;
  const std::size_t n_nodes = graph.n_nodes();
  const Adjacency& lists = graph.skeleton();
  std::vector<bool> gone(n_nodes, false);

  const auto can_go = [&](Node node) {
    for (std::size_t slot = lists.begin_slot(node); slot < lists.end_slot(node); ++slot) {
      if (graph.mark(slot) == Mark::kOut && !gone[lists.target(slot)]) return false;
    }
    for (std::size_t slot = lists.begin_slot(node); slot < lists.end_slot(node); ++slot) {
      const Node neighbour = lists.target(slot);
      if (gone[neighbour] || !graph.is_undirected(slot)) continue;
      for (const Node other : lists[node]) {
        if (other != neighbour && !gone[other] && !graph.adjacent(neighbour, other)) return false;
      }
    }
    return true;
  };

  std::vector<Node> pending;
  std::vector<bool> is_pending(n_nodes, true);
  for (auto node = static_cast<Node>(n_nodes); node-- > 0;) pending.push_back(node);
  std::vector<Node> order;
  order.reserve(n_nodes);
  while (!pending.empty()) {
    const Node node = pending.back();
    pending.pop_back();
    is_pending[node] = false;
    if (!can_go(node)) continue;
    gone[node] = true;
    order.push_back(node);
    for (const Node neighbour : lists[node]) {
      if (gone[neighbour] || is_pending[neighbour]) continue;
      is_pending[neighbour] = true;
      pending.push_back(neighbour);
    }
  }
  if (order.size() < n_nodes) return std::nullopt;
  return order;
}

}  // namespace credenet
