#pragma once

#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// 1 for every source and every node that the lists lead to from one: descendants along the
// children, ancestors along the parents. Linear in the part reached.
[[nodiscard]] std::vector<std::uint8_t> reachable(const Adjacency& lists,
                                                  std::span<const Node> sources);

// 1 for every node outside x and z that is d-connected to a node of x given z.
//
// An open trail is followed from x, remembering for each node whether it was entered along an edge
// (from a parent) or against one (from a child): a node entered from a parent opens towards its
// other parents if it has a descendant in z, towards its children if it is not in z. Each node is
// expanded at most once per direction, so the cost is linear in the graph (Shachter's Bayes ball,
// 1998; Koller and Friedman, algorithm 3.1).
[[nodiscard]] std::vector<std::uint8_t> d_connected(const Digraph& graph, std::span<const Node> x,
                                                    std::span<const Node> z);

}  // namespace credenet
