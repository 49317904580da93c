#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "credenet/credible/network_diagram.hpp"
#include "credenet/ilp/family_rows.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// Most variables whose families are chosen: sets of them have 64 bits.
constexpr std::size_t kMostChoosers = 64;

struct ChoiceLimits {
  double budget = 0;           // Largest loss of a network against the bound of the rows.
  std::uint64_t max_work = 0;  // Families that may be tried; each network found allows some more.
  std::size_t max_bytes = 0;   // Bytes of the diagram.
};

// How a family is called in the diagram, for each family of the rows.
struct ChoiceNames {
  std::span<const std::uint16_t> positions;
  std::span<const std::int64_t> ticks;  // Deviation of each family, in ticks.
};

struct FamilyChoices {
  Status status = Status::kComplete;  // Other than kComplete if there is no root.
  // The value kNone means that there is no network.
  NetworkDiagram::Node root = NetworkDiagram::kNone;
  std::uint64_t n_steps = 0;
};

// Adds to a diagram all acyclic choices of a remaining family for each of the members that lose at
// most the budget. With dual values of rows, as in FamilyRows::bound, a network loses the bound
// less its score: the sum of its families' losses, and for each row the dual value times the slack
// that the network leaves in it. Of the members alone, and of parts of them that are chosen apart,
// only a part of that is known. So some choices lose more in the end, but none is missing that is
// part of a network within the budget.
[[nodiscard]] FamilyChoices family_choices(const FamilyRows& rows,
                                           std::span<const std::int32_t> numbers,
                                           std::span<const double> multipliers,
                                           std::span<const std::uint8_t> alive,
                                           std::span<const std::int32_t> members,
                                           const ChoiceNames& names, const ChoiceLimits& limits,
                                           NetworkDiagram& diagram, Control& control);

}  // namespace credenet
