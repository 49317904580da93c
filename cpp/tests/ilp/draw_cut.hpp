#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "credenet/ilp/family_rows.hpp"
#include "credenet/ilp/small_facets.hpp"
#include "credenet/util/random.hpp"

// An inequality of any kind among n variables.
inline credenet::Cut draw_cut(credenet::Random& random, std::size_t n) {
  std::vector<std::int32_t> members(n);
  std::iota(members.begin(), members.end(), 0);
  for (std::size_t at = n; at > 1; --at) std::swap(members[at - 1], members[random.below(at)]);
  if (n >= 4 && random.below(2) == 0) {
    members.resize(4);
    return {-1 - static_cast<std::int32_t>(random.below(credenet::small_facets().size())), members};
  }
  members.resize(2 + random.below(n - 1));
  std::ranges::sort(members);
  return {1 + static_cast<std::int32_t>(random.below(members.size() - 1)), members};
}
