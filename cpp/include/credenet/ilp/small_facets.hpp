#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/ilp/family_rows.hpp"

namespace credenet {

// An inequality of the polytope of all networks on four variables: the weight of the parents of a
// variable depends on which of the four are among them (bits), and the weights of a network add up
// to at most the limit.
struct Facet {
  double limit;
  std::array<std::array<std::int8_t, 16>, 4> weights;
};

// One facet of each kind that is no k-cluster inequality, up to the order of the variables.
[[nodiscard]] std::span<const Facet> small_facets();

// Inequalities on three and four variables that x violates by at least least_violation: facets and
// k-clusters with k >= 2, the most violated first. At most max_sets sets are tried.
[[nodiscard]] std::vector<Cut> small_cuts(const FamilyLists& lists, std::span<const double> x,
                                          double least_violation, std::size_t max_cuts,
                                          std::size_t max_sets);

}  // namespace credenet
