#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/treewidth/row_store.hpp"
#include "credenet/treewidth/tree_decomposition.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct BoundedDpOptions {
  std::size_t tree_width = 1;
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  unsigned n_threads = 1;
  // Sets of variables that must each lie in a bag.
  std::vector<std::vector<std::int32_t>> cliques{};
  // Pairs of which the first comes before the second in every bag that holds both; some clique
  // holds them.
  std::vector<std::pair<std::int32_t, std::int32_t>> arcs{};
  // The score of a known network: less work and memory are needed the better it is. No network is
  // found if all are worse.
  double at_least = -std::numeric_limits<double>::infinity();
};

// The best network of bounded tree-width, by dynamic programming over all tree decompositions
// (Korhonen and Parviainen 2013). Takes at most the memory that bounded_dp_bytes gives. If that is
// more than allowed it does nothing, or, with a known score, tries it with the memory there is. The
// status is kOptimal, kInfeasible, kMemoryLimit or kStopped.
[[nodiscard]] BoundedResult bounded_dp(const FamilyLists& lists, const BoundedDpOptions& options,
                                       Control& control);

// The dynamic programme for many calls, with memory that is kept between them: one store for each
// thread.
[[nodiscard]] BoundedResult bounded_dp(const FamilyLists& lists, const BoundedDpOptions& options,
                                       std::span<RowStore> stores, Control& control);

// The memory that bounded_dp takes without a known score; the largest number there is if it cannot
// do it at all.
[[nodiscard]] std::size_t bounded_dp_bytes(std::size_t n_variables, std::size_t tree_width);

// The approximate number of additions and comparisons of bounded_dp. A processor makes some 10^9 a
// second.
[[nodiscard]] double bounded_dp_steps(std::size_t n_variables, std::size_t tree_width);

}  // namespace credenet
