#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/independence/arc_rules.hpp"
#include "credenet/independence/judge.hpp"
#include "credenet/independence/orientation.hpp"

namespace credenet {

enum class RaiVariant : std::uint8_t { kCorrected, kPublished };

struct RaiOptions {
  RaiVariant variant = RaiVariant::kCorrected;
  std::size_t max_order = std::numeric_limits<std::size_t>::max();
};

struct RaiResult {
  Orientation graph;
  std::vector<double> strengths;  // of the edges, directed first: the weakest association found
  std::vector<std::uint64_t> tests_by_order;
  bool complete = true;
};

// Recursive autonomy identification. Only pairs of `start` may become edges.
[[nodiscard]] RaiResult rai(Judge& judge, std::span<const std::array<Node, 2>> start,
                            const ArcRules& rules, const RaiOptions& options, Control& control);

}  // namespace credenet
