#pragma once

#include <cstddef>
#include <functional>
#include <limits>

#include "credenet/independence/arc_rules.hpp"
#include "credenet/independence/judge.hpp"
#include "credenet/independence/tested_graph.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct PcOptions {
  std::size_t max_order = std::numeric_limits<std::size_t>::max();
  // Whether the middle of a triple is a collider by most of the sets that separate its ends,
  // instead of the first one found.
  bool majority = false;
  // Whether one of the edges that rely on each other stays (Ambiguity).
  bool settles_ambiguity = false;
  // Function that is called, if given, as each order begins.
  std::function<void(std::size_t)> on_order{};
};

[[nodiscard]] TestedGraph pc(Judge& judge, const ArcRules& rules, const PcOptions& options,
                             Control& control);

}  // namespace credenet
