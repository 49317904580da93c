#pragma once

#include <cstdint>

#include "credenet/graphs/mixed_graph.hpp"
#include "credenet/graphs/sid.hpp"

namespace credenet {

struct SidBounds {
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool exact = true;  // Whether both ends are attained; otherwise they may be too wide.
};

// The smallest and largest structural intervention distance between the true DAG and the consistent
// extensions of the learned graph, which must be closed under Meek's rules and have an extension.
// Per undirected component at most max_branchings edges are branched on; what is left open then is
// bounded from outside. If the control stops it, the bounds are not valid.
[[nodiscard]] SidBounds sid_bounds(const Digraph& truth, const MixedGraph& learned,
                                   std::uint64_t max_branchings, unsigned n_threads,
                                   Control& control);

}  // namespace credenet
