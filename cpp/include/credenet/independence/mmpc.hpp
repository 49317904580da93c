#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "credenet/independence/arc_rules.hpp"
#include "credenet/independence/judge.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

struct MmpcOptions {
  // Largest size of conditioning sets.
  std::size_t max_order = std::numeric_limits<std::size_t>::max();
};

struct MmpcResult {
  // Pairs that are each other's neighbours, the smaller variable first; sorted.
  std::vector<std::array<Node, 2>> edges;
  std::vector<std::uint64_t> tests_by_order;
  std::vector<std::uint64_t> refused_by_order;  // Those of the tests that were refused.
  Status status = Status::kComplete;
};

// Max-min parents and children of all variables, with the symmetry correction: the pairs in which
// each variable has the other among its own. Pairs that the rules forbid are left out, pairs that
// they require are in from the start. If it is stopped, the pairs are those of the sets so far.
[[nodiscard]] MmpcResult max_min_neighbours(Judge& judge, const ArcRules& rules,
                                            const MmpcOptions& options, Control& control);

}  // namespace credenet
