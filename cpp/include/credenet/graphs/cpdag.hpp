#pragma once

#include <array>
#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// Marks every edge of a DAG by 1 if it points the same way in all Markov equivalent DAGs, else by
// 0. Throws std::invalid_argument if the graph has a directed cycle.
[[nodiscard]] std::vector<std::uint8_t> compelled_edges(std::size_t n_nodes, Edges edges);

// All (a, child, b) with a -> child <- b, a < b, and no edge between a and b in the skeleton;
// ordered by child, then a, then b.
[[nodiscard]] std::vector<std::array<Node, 3>> unshielded_colliders(const Adjacency& parents,
                                                                    const Adjacency& skeleton);

// The moral graph's edges (first < second), each once, in ascending order.
[[nodiscard]] std::vector<std::array<Node, 2>> moral_edges(const Digraph& graph);

}  // namespace credenet
