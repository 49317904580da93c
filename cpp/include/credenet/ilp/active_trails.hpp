#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credenet {

struct WeightedArc {
  std::int32_t tail = 0;
  std::int32_t head = 0;
  double weight = 0;  // Weight of the arc, at least 0.
};

// The lightest set of arcs that d-connects a variable of x with one of y given z: the arcs of a
// trail, and of a path to z from each collider on it; an arc counts as often as it is used. Empty
// if none is lighter than the limit. In every network with these arcs x and y are d-connected.
// Returns positions among the arcs given, ascending.
[[nodiscard]] std::vector<std::int32_t> lightest_active_trail(
    std::size_t n_variables, std::span<const WeightedArc> arcs, std::span<const std::int32_t> x,
    std::span<const std::int32_t> y, std::span<const std::int32_t> z, double limit);

}  // namespace credenet
