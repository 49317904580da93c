#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "credenet/posterior/weight_table.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// For each set, the probability that the Markov blanket of a variable lies within it. The sets do
// not hold the variable.
//
// The blanket lies within a set if and only if every family obeys a rule of its own: that of the
// variable is inside the set, and another that holds the variable belongs to a member of the set
// and has no parents outside. So the probability is a sum over all DAGs of some families, over that
// of all: one sum for each set. None if the control stopped it.
[[nodiscard]] std::optional<std::vector<double>> blanket_within(
    const WeightTable& weights, bool by_orders, std::size_t variable,
    std::span<const std::uint32_t> sets, unsigned n_threads, Control& control);

}  // namespace credenet
