#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/lattice/component_lists.hpp"
#include "credenet/lattice/order_graph.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The smallest loss of two variables together, as one of them cannot have the other as a parent: a
// symmetric matrix, row by row.
[[nodiscard]] std::vector<double> pair_losses(const OrderGraph& graph);

// The sizes of groups of about the same size, at least two if there are two variables, as few as
// leave a table for each with one entry for each subset within max_bytes and quickly made.
[[nodiscard]] std::vector<std::size_t> pattern_sizes(std::size_t n_variables,
                                                     std::size_t max_bytes);

// The variables in disjoint groups of these sizes, as sets, such that those that conflict are
// together: greedily, then by exchanging two variables as long as the sum of the losses of pairs
// within groups grows.
[[nodiscard]] std::vector<std::uint64_t> pattern_groups(const OrderGraph& graph,
                                                        const std::vector<std::size_t>& sizes);

// Better groups of the same sizes: two variables are exchanged when what the groups must lose, by
// their tables (pattern_table.hpp), grows by it; until none can be or the tables made have
// max_sets sets altogether. None if the control said to stop.
[[nodiscard]] std::vector<std::uint64_t> sharpen_groups(const ComponentLists& lists,
                                                        const OrderGraph& graph,
                                                        std::vector<std::uint64_t> groups,
                                                        std::size_t max_sets, Control& control);

}  // namespace credenet
