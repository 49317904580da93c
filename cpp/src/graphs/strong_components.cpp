// Tarjan's algorithm with its own stack.
#include "credenet/graphs/strong_components.hpp"

#include <algorithm>

namespace credenet {

std::vector<std::vector<Node>> strong_components(
    std::size_t n_nodes, const std::function<std::span<const Node>(Node)>& next) {
  constexpr std::size_t kUnseen = ~std::size_t{0};
  struct Visit {
    Node node;
    std::span<const Node> left;  // to be followed from it
  };
  std::vector<std::size_t> number(n_nodes, kUnseen);
  std::vector<std::size_t> lowest(n_nodes, 0);
  std::vector<bool> is_open(n_nodes, false);
  std::vector<Node> open;
  std::vector<std::vector<Node>> components;
  std::vector<Visit> stack;
  std::size_t next_number = 0;
  const auto enter = [&](Node node) {
    number[node] = lowest[node] = next_number++;
    open.push_back(node);
    is_open[node] = true;
    stack.push_back({node, next(node)});
  };
  for (Node root = 0; root < static_cast<Node>(n_nodes); ++root) {
    if (number[root] != kUnseen) continue;
    enter(root);
    while (!stack.empty()) {
      auto& [node, left] = stack.back();
      if (!left.empty()) {
        const Node other = left.front();
        left = left.subspan(1);
        if (number[other] == kUnseen) {
          enter(other);
        } else if (is_open[other]) {
          lowest[node] = std::min(lowest[node], number[other]);
        }
        continue;
      }
      const Node done = node;
      stack.pop_back();
      if (!stack.empty()) {
        std::size_t& above = lowest[stack.back().node];
        above = std::min(above, lowest[done]);
      }
      if (lowest[done] != number[done]) continue;
      std::vector<Node> component;
      for (Node member = -1; member != done;) {
        member = open.back();
        open.pop_back();
        is_open[member] = false;
        component.push_back(member);
      }
      std::ranges::sort(component);
      components.push_back(std::move(component));
    }
  }
  return components;
}

}  // namespace credenet
