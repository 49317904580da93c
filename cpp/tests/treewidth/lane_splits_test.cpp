#include "credenet/treewidth/lane_splits.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "check.hpp"
#include "credenet/treewidth/row_store.hpp"
#include "credenet/util/random.hpp"

using credenet::Split;

// The test checks that every number of lanes gives what one lane after the other gives.
int main() {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  credenet::Random random(1);
  for (std::size_t n_lanes = 1; n_lanes <= 27; ++n_lanes) {
    std::vector<double> kept(4 * n_lanes);
    std::vector<double> given(4 * n_lanes);
    for (double& value : kept) value = random.below(5) == 0 ? kNone : -random.uniform();
    for (double& value : given) value = random.below(5) == 0 ? kNone : -random.uniform();
    std::vector<Split> splits;
    std::vector<std::size_t> starts{0, 0};  // The first set has no split.
    for (int set = 0; set < 2; ++set) {
      for (int split = 0; split < 3; ++split) {
        splits.push_back({random.below(4) * n_lanes, random.below(4) * n_lanes});
      }
      starts.push_back(splits.size());
    }
    std::vector<double> rows(3 * n_lanes, -1.0);
    std::vector<double> expected = rows;
    for (std::size_t set = 0; set < 3; ++set) {
      for (std::size_t at = starts[set]; at < starts[set + 1]; ++at) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
          double& best = expected[set * n_lanes + lane];
          best = std::max(best, kept[splits[at].kept + lane] + given[splits[at].given + lane]);
        }
      }
    }
    credenet::take_splits(splits, starts, kept.data(), given.data(), rows.data(), n_lanes);
    CHECK(rows == expected);
  }

  // Rows of a store do not overlap, large ones too, and come again after clear.
  credenet::RowStore store;
  std::vector<double*> first;
  for (int use = 0; use < 2; ++use) {
    store.clear();
    std::vector<double*> taken;
    for (const std::size_t size : {10, 60000, 200000, 60000, 10}) {
      taken.push_back(store.take(size));
      std::fill_n(taken.back(), size, static_cast<double>(taken.size()));
    }
    for (std::size_t row = 0; row < taken.size(); ++row) {
      CHECK(taken[row][0] == static_cast<double>(row + 1));
      CHECK(taken[row][9] == static_cast<double>(row + 1));
    }
    if (use == 0) first = taken;
    CHECK(taken == first);
  }
  return 0;
}
