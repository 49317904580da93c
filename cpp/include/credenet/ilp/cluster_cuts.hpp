#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "credenet/ilp/family_rows.hpp"

namespace credenet {

// Clusters whose inequality x violates by at least least_violation, different ones, the most
// violated first; with k-cluster inequalities of the same members where these are violated. There
// may be violated clusters even if none is found.
[[nodiscard]] std::vector<Cut> cluster_cuts(const FamilyLists& lists, std::span<const double> x,
                                            double least_violation, std::size_t max_cuts);

}  // namespace credenet
