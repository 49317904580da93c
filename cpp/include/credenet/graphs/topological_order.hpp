#pragma once

#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// Parents before children, the smallest index first among those that are ready. Shorter than the
// number of nodes when there is a cycle: nodes on or behind a cycle are left out.
[[nodiscard]] std::vector<Node> topological_order(const Digraph& graph);

// The nodes of one directed cycle in the direction of its edges, from its smallest index; empty
// when the graph is acyclic.
[[nodiscard]] std::vector<Node> find_cycle(const Digraph& graph);

}  // namespace credenet
