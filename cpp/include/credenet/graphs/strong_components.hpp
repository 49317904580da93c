#pragma once

#include <functional>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// The largest sets of nodes that lead to each other, each ascending; a set comes after those that
// it leads to. `next` lists the nodes that a node leads to.
[[nodiscard]] std::vector<std::vector<Node>> strong_components(
    std::size_t n_nodes, const std::function<std::span<const Node>(Node)>& next);

}  // namespace credenet
