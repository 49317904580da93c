#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/families/search_result.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct OrderSearchOptions {
  std::uint64_t seed = 0;
  // Perturbations of each order; 0 to go on until the control stops.
  std::size_t n_iterations = 3000;
  std::size_t n_orders = 4;  // Orders that are improved in parallel; at least 1.
  unsigned n_threads = 1;
};

// The best network that a search over orders finds. start is empty or has for each variable the
// position of its family in an acyclic network, which the result is never worse than. The result
// is a local optimum with respect to insertions unless it was stopped, optimal if every variable
// has its best family, and infeasible, which is proven, if no acyclic choice of families exists.
// Given a number of iterations it depends on the seed only, not on the number of threads.
[[nodiscard]] SearchResult order_search(const FamilyLists& lists,
                                        std::span<const std::int32_t> start,
                                        const OrderSearchOptions& options, Control& control);

}  // namespace credenet
