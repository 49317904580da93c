#pragma once

#include <cstdint>
#include <vector>

#include "credenet/inference/exact/factors.hpp"

namespace credenet {

// 1 for every factor that bears on the answer. In a Bayesian network the tables of barren variables
// (neither asked for nor with evidence, nor an ancestor of such) add up to 1. Unless the
// probability of all evidence is wanted, factors that no chain of unobserved variables joins to a
// target are left out too: in the moral graph of the ancestors this is d-separation. Linear in the
// scopes.
[[nodiscard]] std::vector<std::uint8_t> relevant_factors(const FactorsView& factors,
                                                         const QueryShape& query);

}  // namespace credenet
