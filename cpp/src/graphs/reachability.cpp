#include "credenet/graphs/reachability.hpp"

#include <array>
#include <utility>

namespace credenet {

std::vector<std::uint8_t> reachable(const Adjacency& lists, std::span<const Node> sources) {
  std::vector<std::uint8_t> reached(lists.n_nodes(), 0);
  std::vector<Node> pending;
  const auto visit = [&](Node node) {
    if (reached[node] != 0) return;
    reached[node] = 1;
    pending.push_back(node);
  };
  for (const Node source : sources) visit(source);
  while (!pending.empty()) {
    const Node node = pending.back();
    pending.pop_back();
    for (const Node next : lists[node]) visit(next);
  }
  return reached;
}

std::vector<std::uint8_t> d_connected(const Digraph& graph, std::span<const Node> x,
                                      std::span<const Node> z) {
  enum Entered : std::uint8_t { kFromChild, kFromParent };
  std::vector<std::uint8_t> in_z(graph.n_nodes(), 0);
  for (const Node node : z) in_z[node] = 1;

  std::array<std::vector<std::uint8_t>, 2> seen;
  for (auto& nodes : seen) nodes.assign(graph.n_nodes(), 0);
  std::vector<std::pair<Node, Entered>> pending;
  const auto visit = [&](Node node, Entered entered) {
    if (seen[entered][node] != 0) return;
    seen[entered][node] = 1;
    pending.emplace_back(node, entered);
  };
  for (const Node node : x) visit(node, kFromChild);
  while (!pending.empty()) {
    const auto [node, entered] = pending.back();
    pending.pop_back();
    if ((entered == kFromParent) == (in_z[node] != 0)) {
      for (const Node parent : graph.parents[node]) visit(parent, kFromChild);
    }
    if (in_z[node] == 0) {
      for (const Node child : graph.children[node]) visit(child, kFromParent);
    }
  }

  std::vector<std::uint8_t> connected(graph.n_nodes(), 0);
  for (std::size_t node = 0; node < connected.size(); ++node) {
    connected[node] = seen[kFromChild][node] | seen[kFromParent][node];
  }
  for (const Node node : x) connected[node] = 0;
  for (const Node node : z) connected[node] = 0;
  return connected;
}

}  // namespace credenet
