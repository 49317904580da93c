#pragma once

#include <cstdint>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// Marks each family by 1 if a proper subset of its parents scores higher by more than the slack,
// else by 0.
std::vector<std::uint8_t> dominated_families(const FamilyLists& lists, double slack);

}  // namespace credenet
