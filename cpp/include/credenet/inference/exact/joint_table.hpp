#pragma once

#include <span>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/models/factors_view.hpp"

namespace credenet {

// The joint distribution of some variables of a Bayesian network, the last one's states fastest.
// False, and nothing is filled in, if inference takes more than max_bytes.
[[nodiscard]] bool joint_table(const FactorsView& network, std::span<const Node> variables,
                               double max_bytes, std::span<double> probabilities);

}  // namespace credenet
