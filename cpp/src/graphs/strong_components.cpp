// Strongly connected components by the depth-first search of Tarjan (1972), with a stack of its own
// since paths may be as long as there are nodes. Nodes are numbered as they are met. A node is open
// until its component is known: the first met of a component is the one from which nothing open
// that was met earlier is reached, and all that is open since belongs to it. Linear in the graph.
#include "credenet/graphs/strong_components.hpp"

#include <algorithm>
#include <limits>

namespace credenet {

std::vector<std::vector<Node>> strong_components(std::span<const std::int64_t> starts,
                                                 std::span<const Node> targets) {
  constexpr std::uint32_t kUnmet = 0;  // Number of a node that was not met.
  constexpr std::uint32_t kClosed = std::numeric_limits<std::uint32_t>::max();
  struct Visit {
    Node node;
    std::uint32_t lowest;  // Number of an open node that was found to be reached.
    std::int64_t next;     // Place among the targets.
  };
  const auto n_nodes = static_cast<Node>(starts.size() - 1);
  std::vector<std::uint32_t> number(starts.size() - 1, kUnmet);
  std::uint32_t n_met = 0;
  std::vector<Node> open;
  std::vector<Visit> path;
  std::vector<std::vector<Node>> components;
  const auto enter = [&](Node node) {
    number[node] = ++n_met;
    open.push_back(node);
    path.push_back({node, n_met, starts[node]});
  };
  for (Node root = 0; root < n_nodes; ++root) {
    if (number[root] != kUnmet) continue;
    enter(root);
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.next < starts[visit.node + 1]) {
        const Node target = targets[visit.next++];
        if (number[target] == kUnmet) {
          enter(target);
        } else {
          visit.lowest = std::min(visit.lowest, number[target]);
        }
        continue;
      }
      const Visit done = visit;
      path.pop_back();
      if (!path.empty()) path.back().lowest = std::min(path.back().lowest, done.lowest);
      if (done.lowest != number[done.node]) continue;
      const auto first = std::ranges::find(open.rbegin(), open.rend(), done.node).base() - 1;
      std::vector<Node> component(first, open.end());
      open.erase(first, open.end());
      for (const Node member : component) number[member] = kClosed;
      std::ranges::sort(component);
      components.push_back(std::move(component));
    }
  }
  return components;
}

}  // namespace credenet
