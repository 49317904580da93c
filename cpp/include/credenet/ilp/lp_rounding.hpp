#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// A network near a solution x of the linear program: variables are placed one after the other,
// always the one of which the most mass has all parents placed, each with its best family then.
// Positions in each variable's list; nothing if a variable cannot be placed.
[[nodiscard]] std::vector<std::int32_t> rounded_network(const FamilyLists& lists,
                                                        std::span<const double> x);

// The same in another way: sinks are removed, always the variable whose best family among the
// remaining ones is nearest to what x gives it.
[[nodiscard]] std::vector<std::int32_t> rounded_by_sinks(const FamilyLists& lists,
                                                         std::span<const double> x);

}  // namespace credenet
