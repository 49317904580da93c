#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/treewidth/k_tree.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The set of this many variables, at least 1 and at most all, with the largest sum of weights over
// its pairs; ascending. It is exact if there are at most a million sets. Otherwise it is the best
// of sets that grow from each variable by the largest sum and are then improved by exchanges. If
// stopped, the best so far.
[[nodiscard]] std::vector<std::int32_t> best_root_clique(const PairWeights& weights,
                                                         std::size_t size, Control& control);

}  // namespace credenet
