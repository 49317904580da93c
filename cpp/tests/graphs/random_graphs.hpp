#pragma once

#include <vector>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/util/random.hpp"

// Edges that own their arrays.
struct EdgeList {
  std::vector<credenet::Node> from;
  std::vector<credenet::Node> to;

  void add(credenet::Node tail, credenet::Node head) {
    from.push_back(tail);
    to.push_back(head);
  }
  [[nodiscard]] credenet::Edges view() const { return {from, to}; }
};

// A DAG along a random order of the nodes, every pair joined with the given probability.
inline EdgeList random_dag(std::size_t n_nodes, double density, credenet::Random& random) {
  std::vector<credenet::Node> order;
  for (std::size_t node = 0; node < n_nodes; ++node) {
    const auto place = static_cast<std::ptrdiff_t>(random.below(node + 1));
    order.insert(order.begin() + place, static_cast<credenet::Node>(node));
  }
  EdgeList edges;
  for (std::size_t second = 0; second < n_nodes; ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      if (random.uniform() < density) edges.add(order[first], order[second]);
    }
  }
  return edges;
}
