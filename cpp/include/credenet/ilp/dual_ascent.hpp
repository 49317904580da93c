#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/ilp/family_rows.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

struct DualAscent {
  std::vector<Cut> cuts;
  std::vector<double> multipliers;
  Status status = Status::kComplete;
};

// Cluster inequalities with dual values that bound the score of every network of the remaining
// families, found one at a time. Given losses (how much less each family contributes than the best
// of its variable), the ascent starts from these.
[[nodiscard]] DualAscent dual_ascent(const FamilyLists& lists, std::span<const std::uint8_t> alive,
                                     std::span<const double> losses, std::size_t max_cuts,
                                     Control& control);

}  // namespace credenet
