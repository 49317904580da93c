#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "credenet/treewidth/tree_decomposition.hpp"
#include "families/every_network.hpp"

// The best score of all networks within the decomposition, -infinity if there is none.
inline double best_network_within(const credenet::FamilyLists& lists,
                                  const credenet::TreeDecomposition& decomposition) {
  double best = -std::numeric_limits<double>::infinity();
  for_each_network(lists, [&](const std::vector<double>& x) {
    std::vector<std::int32_t> families;
    for (std::size_t v = 0; v < lists.n_variables(); ++v) {
      std::size_t family = lists.begin(v);
      while (x[family] == 0) ++family;
      families.push_back(static_cast<std::int32_t>(family - lists.begin(v)));
    }
    if (is_within(lists, families, decomposition)) {
      best = std::max(best, score_of(lists, families));
    }
  });
  return best;
}
