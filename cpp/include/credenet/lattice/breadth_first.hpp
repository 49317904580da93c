#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <vector>

#include "credenet/families/search_result.hpp"
#include "credenet/lattice/component_lists.hpp"
#include "credenet/lattice/heuristics/heuristic.hpp"
#include "credenet/lattice/heuristics/make_heuristic.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct BreadthFirstOptions {
  // Limit on the memory: all kept nodes count 16 bytes each; with a scratch directory they are in
  // its files, and only the nodes that are about to be written count.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  // The directory for layers of nodes; empty keeps them in memory. A run on the same lists resumes
  // from the last complete layer that a stopped or killed run has left there; a run that ends, or
  // fails, removes its files. ScratchError if a file cannot be written.
  std::filesystem::path scratch_dir{};
  unsigned n_threads = 1;
  // The first incumbent: the position of a family for each variable, or nothing.
  std::vector<std::int32_t> start{};
};

// The best network by breadth-first branch and bound: sets of placed variables by their size,
// without those that lead to no network as good as the incumbent.
[[nodiscard]] SearchResult breadth_first(const ComponentLists& lists, const Heuristic& heuristic,
                                         const BreadthFirstOptions& options, Control& control);

// Makes the heuristic within the memory allowed, then searches.
[[nodiscard]] SearchResult breadth_first(const ComponentLists& lists,
                                         const OrderGraphOptions& heuristic,
                                         BreadthFirstOptions options, Control& control);

}  // namespace credenet
