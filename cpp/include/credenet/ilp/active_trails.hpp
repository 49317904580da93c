#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credenet {

struct WeightedArc {
  std::int32_t tail = 0;
  std::int32_t head = 0;
  double weight = 0;  // not negative
};

// Arcs that d-connect a variable of x with one of y given z: those of a trail, and of a path to z
// from each collider on it. Their weights, an arc counted as often as it is used, add up to the
// least there is; none if that is not below the limit. Every network with these arcs has x and y
// d-connected. Positions among the arcs given, ascending.
[[nodiscard]] std::vector<std::int32_t> lightest_active_trail(
    std::size_t n_variables, std::span<const WeightedArc> arcs, std::span<const std::int32_t> x,
    std::span<const std::int32_t> y, std::span<const std::int32_t> z, double limit);

}  // namespace credenet
