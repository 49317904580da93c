#include "credenet/graphs/topological_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace credenet {

std::vector<Node> topological_order(const Digraph& graph) {
  const std::size_t n_nodes = graph.n_nodes();
  std::vector<std::size_t> waiting(n_nodes);
  std::priority_queue<Node, std::vector<Node>, std::greater<>> ready;
  for (Node node = 0; node < static_cast<Node>(n_nodes); ++node) {
    waiting[node] = graph.parents[node].size();
    if (waiting[node] == 0) ready.push(node);
  }
  std::vector<Node> order;
  order.reserve(n_nodes);
  while (!ready.empty()) {
    const Node node = ready.top();
    ready.pop();
    order.push_back(node);
    for (const Node child : graph.children[node]) {
      if (--waiting[child] == 0) ready.push(child);
    }
  }
  return order;
}

std::vector<Node> find_cycle(const Digraph& graph) {
  const std::vector<Node> order = topological_order(graph);
  if (order.size() == graph.n_nodes()) return {};
  std::vector<bool> ordered(graph.n_nodes(), false);
  for (const Node node : order) ordered[node] = true;

  // Every node left has a parent that is left, so a walk from child to parent must meet itself.
  std::vector<std::ptrdiff_t> step(graph.n_nodes(), -1);
  std::vector<Node> walk;
  auto node = static_cast<Node>(std::ranges::find(ordered, false) - ordered.begin());
  while (step[node] < 0) {
    step[node] = static_cast<std::ptrdiff_t>(walk.size());
    walk.push_back(node);
    node =
        *std::ranges::find_if(graph.parents[node], [&](Node parent) { return !ordered[parent]; });
  }
  std::vector<Node> cycle(walk.begin() + step[node], walk.end());
  std::ranges::reverse(cycle);
  std::rotate(cycle.begin(), std::ranges::min_element(cycle), cycle.end());
  return cycle;
}

}  // namespace credenet
