#pragma once

#include <cstdint>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// One for the families of which a proper subset scores better by more than the slack, else zero.
std::vector<std::uint8_t> dominated_families(const FamilyLists& lists, double slack);

}  // namespace credenet
