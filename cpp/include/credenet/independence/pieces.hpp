#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "credenet/independence/node_bits.hpp"

namespace credenet {

// Splits every piece of a graph into the strongly connected components that no edge leaves, as one
// piece, and the connected pieces of the rest. `piece` has a number for each node, below the number
// of nodes before and after; `leads` says whether an edge goes, or may go, from one node to
// another.
void split_pieces(const NodeBits& adjacent, const std::function<bool(Node, Node)>& leads,
                  std::span<std::size_t> piece);

}  // namespace credenet
