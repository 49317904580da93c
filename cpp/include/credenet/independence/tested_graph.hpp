#pragma once

#include <cstdint>
#include <vector>

#include "credenet/independence/judge.hpp"
#include "credenet/independence/orientation.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// The answer nearest to independence among the tests that an edge has passed.
struct WeakestAnswer {
  Node a = 0;
  Node b = 0;
  std::vector<Node> given;
  double association = 0;
};

struct TestCounts {
  std::vector<std::uint64_t> tests;    // Tests by order, as if made one after another.
  std::vector<std::uint64_t> refused;  // Those of them that were refused, by order.
  std::vector<double> seconds;         // Seconds by order.
  double orientation_seconds = 0;
};

// The graph that independence tests led to, and the work that they took.
struct TestedGraph {
  Orientation graph;
  std::vector<WeakestAnswer> weakest;  // One for each tested edge, sorted by a and b.
  TestCounts counts;
  Status status = Status::kComplete;  // Complete, or stopped with the result so far.
};

}  // namespace credenet
