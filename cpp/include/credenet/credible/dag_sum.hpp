#pragma once

#include <cstddef>
#include <cstdint>

#include "credenet/families/family_lists.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The most variables: with more, neither time nor the bound on rounding would do.
constexpr std::size_t kMostSummed = 20;

// The memory that the sum takes.
[[nodiscard]] std::uint64_t dag_sum_bytes(std::size_t n_variables);

// The logarithm of the sum of exp(score) over all DAGs whose families are in the lists; minus
// infinity if there are none, not a number if the control stopped it.
[[nodiscard]] double log_sum_of_dags(const FamilyLists& lists, unsigned n_threads,
                                     Control& control);

}  // namespace credenet
