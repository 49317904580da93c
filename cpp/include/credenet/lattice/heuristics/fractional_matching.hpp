#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace credenet {

// The largest sum of x_ij w_ij over pairs of the given vertices, where x >= 0 and the x of pairs at
// one vertex sum to at most 1: the linear relaxation of a maximum weight matching, solved exactly.
// Its best solutions are half-integral, half of a best assignment of the vertices to themselves
// (symmetric weights, n by n, zeros on the diagonal), which the Hungarian algorithm finds in
// O(n^3); each connected piece of the positive weights is solved by itself. Never below the
// weight of a best matching.
[[nodiscard]] double fractional_matching(std::span<const double> weights, std::size_t n,
                                         std::uint64_t vertices);

}  // namespace credenet
