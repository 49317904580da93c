#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/ilp/local_cut.hpp"

namespace credenet {

// Inequalities on up to n_members variables that x violates by at least least_violation times their
// limit, the most violated first. They are facets of the polytope of networks on these variables,
// as far as x uses its families. Each variable is the start of n_sets sets of members: the first
// has those that x joins most, the others are drawn by the seed, which also perturbs the linear
// programs.
[[nodiscard]] std::vector<Cut> local_cuts(const FamilyLists& lists, std::span<const double> x,
                                          std::size_t n_members, std::size_t n_sets,
                                          double least_violation, std::size_t max_cuts,
                                          std::uint64_t seed);

}  // namespace credenet
