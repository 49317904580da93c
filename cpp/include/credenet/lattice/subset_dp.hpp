#pragma once

#include <cstddef>
#include <limits>
#include <memory>

#include "credenet/families/search_result.hpp"
#include "credenet/lattice/component_lists.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct SubsetDpOptions {
  // Whether to keep only two layers of scores, and one byte for every subset.
  bool layered = false;
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  unsigned n_threads = 1;
};

// The best network by dynamic programming over all subsets of the variables. Takes the memory
// that subset_dp_bytes gives; does nothing if that is more than allowed.
[[nodiscard]] SearchResult subset_dp(const ComponentLists& lists, const SubsetDpOptions& options,
                                     Control& control);

// The memory that subset_dp takes; the largest number there is if it does not fit into one.
[[nodiscard]] std::size_t subset_dp_bytes(std::size_t n_variables, bool layered,
                                          unsigned n_threads);

// The approximate number of seconds of one processor that subset_dp takes, from the time of a few
// blocks.
[[nodiscard]] double subset_dp_seconds(const ComponentLists& lists);

// The best score of a network on each subset of the variables, at the place of its bits; minus
// infinity where there is none, nothing at all if the control stopped it. 8 * 2^n bytes.
[[nodiscard]] std::unique_ptr<double[]> best_of_subsets(const ComponentLists& lists,
                                                        unsigned n_threads, Control& control);

}  // namespace credenet
