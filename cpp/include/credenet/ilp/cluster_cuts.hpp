#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "credenet/ilp/family_rows.hpp"

namespace credenet {

// Separation of cluster inequalities: different ones that x violates by at least least_violation,
// the most violated first, with the k-cluster inequalities of the same members where x violates
// them. It is a heuristic: that nothing is found does not prove that nothing is violated.
[[nodiscard]] std::vector<Cut> cluster_cuts(const FamilyLists& lists, std::span<const double> x,
                                            double least_violation, std::size_t max_cuts);

}  // namespace credenet
