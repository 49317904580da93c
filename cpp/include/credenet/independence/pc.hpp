#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "credenet/independence/arc_rules.hpp"
#include "credenet/independence/judge.hpp"
#include "credenet/independence/orientation.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct PcOptions {
  std::size_t max_order = std::numeric_limits<std::size_t>::max();
  // Whether the middle of a triple is a collider by most of the sets that separate its ends,
  // instead of the first one found.
  bool majority = false;
  std::function<void(std::size_t)> on_order{};  // called, where given, as each order begins
};

// The answer nearest to independence that an edge has survived.
struct WeakestAnswer {
  Node a = 0;
  Node b = 0;
  std::vector<Node> given;
  double association = 0;
};

struct TestCounts {
  std::vector<std::uint64_t> tests;  // by order, as one after another would have made them
  std::vector<double> seconds;       // by order
  std::uint64_t n_answered = 0;      // also those of a round that were then not needed
  std::uint64_t orientation_tests = 0;
  double orientation_seconds = 0;
};

struct PcResult {
  Orientation graph;
  std::vector<WeakestAnswer> weakest;  // of each edge that was tested, by a and b
  TestCounts counts;
  bool complete = true;  // else stopped, and this is how far it came
};

[[nodiscard]] PcResult pc(Judge& judge, const ArcRules& rules, const PcOptions& options,
                          Control& control);

}  // namespace credenet
