#pragma once

#include <cstddef>
#include <span>

#include "credenet/util/random.hpp"

namespace credenet {

// Draws an index in proportion to the weights, which add up to a positive total; never one of
// weight 0.
[[nodiscard]] inline std::size_t weighted_choice(std::span<const double> weights, double total,
                                                 Random& random) {
  double left = random.uniform() * total;
  std::size_t chosen = 0;
  for (std::size_t at = 0; at < weights.size(); ++at) {
    if (weights[at] == 0) continue;
    chosen = at;  // Rounding must not end on a weight of 0.
    left -= weights[at];
    if (left < 0) break;
  }
  return chosen;
}

}  // namespace credenet
