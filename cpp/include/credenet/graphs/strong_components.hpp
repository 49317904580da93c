#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// The nodes in groups, two together if each leads to the other; each group ascends, and comes after
// the groups that it leads to. Node v leads to targets[starts[v]] up to targets[starts[v + 1]], in
// any order and as often as may be.
[[nodiscard]] std::vector<std::vector<Node>> strong_components(std::span<const std::int64_t> starts,
                                                               std::span<const Node> targets);

}  // namespace credenet
