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
// Open trails are followed from x, remembering whether a node was entered from a parent or from a
// child: a node outside z passes on to its children, and to its parents if it was entered from a
// child; a node of z returns what came from a parent to its parents, which opens the colliders
// above it. Each node is expanded at most once per way of entering, so the cost is linear in the
// graph (the Bayes ball of Shachter 1998).
[[nodiscard]] std::vector<std::uint8_t> d_connected(const Digraph& graph, std::span<const Node> x,
                                                    std::span<const Node> z);

}  // namespace credenet
