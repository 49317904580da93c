#pragma once

#include <cstdint>
#include <vector>

#include "credenet/independence/judge.hpp"
#include "credenet/independence/orientation.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

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
  double orientation_seconds = 0;
};

// A graph that tests of independence led to, and what it took.
struct TestedGraph {
  Orientation graph;
  std::vector<WeakestAnswer> weakest;  // of each edge that was tested, by a and b
  TestCounts counts;
  Status status = Status::kComplete;  // else stopped: the result so far
};

}  // namespace credenet
