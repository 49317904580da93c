#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

enum class EliminationRule : std::uint8_t {
  kMinFill,    // Eliminates the node that adds the fewest edges.
  kMinWeight,  // Eliminates the node whose table, over it and its neighbours, has the fewest cells.
};

struct Elimination {
  std::vector<Node> order;
  std::size_t width = 0;  // Most neighbours of a node when it is eliminated; bounds the tree-width.
  double log2_table_size = 0;  // Log2 of the cells of all tables together, one table per node.
};

// The best of n_restarts greedy orders of an undirected graph whose edges appear once. The first
// order breaks ties by index, the others at random. Best means the smallest width under kMinFill
// and the smallest table size under kMinWeight, ties by the other, then by the earliest restart.
// Stopped by the control it returns the best so far; the first order is always made.
//
// Nodes marked in `last` go after the others, unless every one of the others has a table of more
// than 2^log2_most cells; only under kMinWeight.
[[nodiscard]] Elimination elimination_order(
    std::size_t n_nodes, Edges edges, std::span<const std::int32_t> n_states, EliminationRule rule,
    std::size_t n_restarts, std::uint64_t seed, unsigned n_threads, Control& control,
    std::span<const std::uint8_t> last = {}, double log2_most = 0);

}  // namespace credenet
