#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// Rounds a solution x of the linear program to a network. Variables are placed one after the other,
// each with its best family among those placed; next is the variable whose families with all
// parents placed have the most mass. Returns positions in each variable's list; nothing if a
// variable cannot be placed.
[[nodiscard]] std::vector<std::int32_t> rounded_network(const FamilyLists& lists,
                                                        std::span<const double> x);

// Rounds x from the other end: sinks are removed, always the variable that has the least mass as a
// parent in the remaining families. Then each variable gets its best family in that order.
[[nodiscard]] std::vector<std::int32_t> rounded_by_sinks(const FamilyLists& lists,
                                                         std::span<const double> x);

}  // namespace credenet
