#pragma once

#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// An order with parents before children; of several ready nodes the one with the smallest index is
// next. Nodes on or behind a cycle are left out, so the order is then shorter than the number of
// nodes.
[[nodiscard]] std::vector<Node> topological_order(const Digraph& graph);

// The nodes of one directed cycle in the direction of its edges, from its smallest index; empty
// when the graph is acyclic.
[[nodiscard]] std::vector<Node> find_cycle(const Digraph& graph);

}  // namespace credenet
