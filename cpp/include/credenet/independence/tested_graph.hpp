#pragma once

#include <cstdint>
#include <vector>

#include "credenet/independence/judge.hpp"
#include "credenet/independence/orientation.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// Of the tests that an edge has survived, the answer nearest to independence.
struct WeakestAnswer {
  Node a = 0;
  Node b = 0;
  std::vector<Node> given;
  double association = 0;
};

struct TestCounts {
  std::vector<std::uint64_t> tests;  // by order, as if made one after another
  std::vector<double> seconds;       // by order
  double orientation_seconds = 0;
};

// The graph that independence tests led to, and the work that they took.
struct TestedGraph {
  Orientation graph;
  std::vector<WeakestAnswer> weakest;  // of each tested edge, sorted by a and b
  TestCounts counts;
  Status status = Status::kComplete;  // or stopped, with the result so far
};

}  // namespace credenet
