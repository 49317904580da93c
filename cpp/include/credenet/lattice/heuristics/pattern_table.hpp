#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "credenet/lattice/component_lists.hpp"
#include "credenet/lattice/order_graph.hpp"

namespace credenet {

// For each set R of members of a group, the most that R can add to the score when all other
// variables are there:
//   best(R) = max over v in R of score of v's best parents outside R + best(R - v).
// Bit i of an index stands for the i-th member, in order. Takes 2^m doubles for m members and at
// most m 2^m look-ups, mostly far fewer: a member that loses nothing may go first, as in the order
// graph. Calls go_on every few thousand sets, and returns nothing once that says no.
[[nodiscard]] std::vector<double> pattern_table(const ComponentLists& lists,
                                                const OrderGraph& graph, std::uint64_t group,
                                                const std::function<bool(std::size_t)>& go_on);

}  // namespace credenet
