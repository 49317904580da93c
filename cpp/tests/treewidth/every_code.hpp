#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/treewidth/dandelion_code.hpp"

// Calls visit(code) for all codes.
template <typename Visit>
void for_each_code(std::size_t n, std::size_t k, Visit&& visit) {
  const std::size_t n_pairs = n < k + 2 ? 0 : n - k - 2;
  const std::size_t n_values = k * (n - k) + 1;
  for (std::size_t set = 0; set < std::size_t{1} << n; ++set) {
    if (static_cast<std::size_t>(std::popcount(set)) != k) continue;
    credenet::DandelionCode code;
    for (std::size_t v = 0; v < n; ++v) {
      if ((set >> v & 1) != 0) code.root.push_back(static_cast<std::int32_t>(v));
    }
    std::vector<std::size_t> values(n_pairs, 0);
    while (true) {
      code.pairs.clear();
      for (const std::size_t value : values) {
        code.pairs.push_back(value == 0 ? credenet::DandelionCode::Pair{}
                                        : credenet::DandelionCode::Pair{
                                              static_cast<std::int32_t>(1 + (value - 1) / k),
                                              static_cast<std::int32_t>(1 + (value - 1) % k)});
      }
      visit(code);
      std::size_t at = 0;
      while (at < n_pairs && ++values[at] == n_values) values[at++] = 0;
      if (at == n_pairs) break;
    }
  }
}
