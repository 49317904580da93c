#pragma once

#include <vector>

#include "credenet/graphs/mixed_graph.hpp"

namespace credenet {

// Orients undirected edges until none of Meek's four rules applies, given that the rules were
// exhausted before the edges at the slots in `oriented` were directed. Returns those slots followed
// by the slots of the edges that were oriented here, each at the tail of its edge.
std::vector<std::size_t> close_under_meek(MixedGraph& graph, std::vector<std::size_t> oriented);

// Closes the graph under Meek's rules, starting from all of its directed edges.
void close_under_meek(MixedGraph& graph);

}  // namespace credenet
