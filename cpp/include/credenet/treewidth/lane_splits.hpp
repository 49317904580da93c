#pragma once

#include <cstddef>
#include <span>

namespace credenet {

// A set of members in two parts, as places of two rows of numbers.
struct Split {
  std::size_t kept = 0;
  std::size_t given = 0;
};

// The rows of sets, of n_lanes numbers each, become the largest sums of two rows over the splits of
// the set where these are more. Set s has the splits starts[s] to starts[s + 1].
void take_splits(std::span<const Split> splits, std::span<const std::size_t> starts,
                 const double* kept, const double* given, double* rows, std::size_t n_lanes);

}  // namespace credenet
