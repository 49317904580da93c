#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "credenet/independence/arc_rules.hpp"
#include "credenet/independence/judge.hpp"
#include "credenet/independence/tested_graph.hpp"

namespace credenet {

enum class RaiVariant : std::uint8_t { kCorrected, kPublished };

struct RaiOptions {
  RaiVariant variant = RaiVariant::kCorrected;
  std::size_t max_order = std::numeric_limits<std::size_t>::max();
  // Whether one of the edges that rely on each other stays (Ambiguity).
  bool settles_ambiguity = false;
  // Function that is called, if given, as each order begins.
  std::function<void(std::size_t)> on_order{};
};

// Recursive autonomy identification. Only pairs of `start` may become edges, and those that the
// rules require.
[[nodiscard]] TestedGraph rai(Judge& judge, std::span<const std::array<Node, 2>> start,
                              const ArcRules& rules, const RaiOptions& options, Control& control);

}  // namespace credenet
