#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

struct ChowLiuTree {
  std::vector<std::int32_t> parents;  // Parent of each variable; -1 for a root.
  // Mutual information with the parent in nats per row; 0 for a root.
  std::vector<double> information;
  Status status = Status::kComplete;  // Other than kComplete if variables are missing.
};

// The tree of largest mutual information (Chow and Liu 1968) with all edges away from the root.
// allowed is empty, or row by row whether two variables may be joined, symmetric; where that leaves
// parts unconnected there is a tree for each, away from its smallest variable.
[[nodiscard]] ChowLiuTree chow_liu(const CountSource& source, std::size_t root,
                                   std::span<const std::uint8_t> allowed, unsigned n_threads,
                                   Control& control);

}  // namespace credenet
