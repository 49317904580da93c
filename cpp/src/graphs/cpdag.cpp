// Compelled edges by labelling (Chickering 1995). Heads y are visited in topological order. With x
// the last parent of y: all edges into y are compelled if some other parent of y is no parent of x
// (an unshielded collider) or some compelled w -> x has no w -> y (else reversing x -> y would make
// or break one); if neither, exactly those w -> y are compelled for which w -> x is. Cost: for
// every node the parents of it and of x, with a logarithm for the look-ups.
#include "credenet/graphs/cpdag.hpp"

#include <algorithm>
#include <stdexcept>

#include "credenet/graphs/topological_order.hpp"

namespace credenet {

std::vector<std::uint8_t> compelled_edges(std::size_t n_nodes, Edges edges) {
  enum Label : std::uint8_t { kReversible, kCompelled, kUnknown };
  const Digraph graph(n_nodes, edges);
  const Adjacency& parents = graph.parents;
  const std::vector<Node> order = topological_order(graph);
  if (order.size() != n_nodes) throw std::invalid_argument("the graph has a directed cycle");
  std::vector<Node> rank(n_nodes);
  for (std::size_t place = 0; place < n_nodes; ++place) {
    rank[order[place]] = static_cast<Node>(place);
  }

  std::vector<Label> labels(parents.n_slots(), kUnknown);  // Labels by slot in the parent lists.
  for (const Node y : order) {
    if (parents[y].empty()) continue;
    const Node x = *std::ranges::max_element(parents[y], {}, [&](Node node) { return rank[node]; });
    bool forced =
        std::ranges::any_of(parents[y], [&](Node z) { return z != x && !parents.contains(x, z); });
    for (std::size_t slot = parents.begin_slot(x); slot < parents.end_slot(x) && !forced; ++slot) {
      if (labels[slot] != kCompelled) continue;
      const std::size_t shared = parents.slot(y, parents.target(slot));
      if (shared == Adjacency::kNoSlot) {
        forced = true;
      } else {
        labels[shared] = kCompelled;
      }
    }
    for (std::size_t slot = parents.begin_slot(y); slot < parents.end_slot(y); ++slot) {
      if (labels[slot] == kUnknown) labels[slot] = forced ? kCompelled : kReversible;
    }
  }

  std::vector<std::uint8_t> compelled(edges.size());
  // Place within each list at which an ascending tail is found.
  std::vector<std::size_t> next(n_nodes, 0);
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    const Node head = edges.to[edge];
    const std::size_t guess = parents.begin_slot(head) + next[static_cast<std::size_t>(head)]++;
    const bool is_there =
        guess < parents.end_slot(head) && parents.target(guess) == edges.from[edge];
    const std::size_t slot = is_there ? guess : parents.slot(head, edges.from[edge]);
    compelled[edge] = labels[slot] == kCompelled ? 1 : 0;
  }
  return compelled;
}

std::vector<std::array<Node, 3>> unshielded_colliders(const Adjacency& parents,
                                                      const Adjacency& skeleton) {
  std::vector<std::array<Node, 3>> colliders;
  for (Node child = 0; child < static_cast<Node>(parents.n_nodes()); ++child) {
    const auto list = parents[child];
    for (std::size_t first = 0; first < list.size(); ++first) {
      for (std::size_t second = first + 1; second < list.size(); ++second) {
        if (!skeleton.contains(list[first], list[second])) {
          colliders.push_back({list[first], child, list[second]});
        }
      }
    }
  }
  return colliders;
}

std::vector<std::array<Node, 2>> moral_edges(const Digraph& graph) {
  std::vector<std::array<Node, 2>> edges;
  for (Node child = 0; child < static_cast<Node>(graph.n_nodes()); ++child) {
    const auto list = graph.parents[child];
    for (std::size_t first = 0; first < list.size(); ++first) {
      edges.push_back({std::min(list[first], child), std::max(list[first], child)});
      for (std::size_t second = first + 1; second < list.size(); ++second) {
        edges.push_back({list[first], list[second]});
      }
    }
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace credenet
