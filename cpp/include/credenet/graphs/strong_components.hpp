#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// Strongly connected components; each ascends, and comes after the components that it leads to.
// Node v leads to targets[starts[v]] up to targets[starts[v + 1]], in any order and with
// repetitions.
[[nodiscard]] std::vector<std::vector<Node>> strong_components(std::span<const std::int64_t> starts,
                                                               std::span<const Node> targets);

}  // namespace credenet
