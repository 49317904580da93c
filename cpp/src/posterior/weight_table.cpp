#include "credenet/posterior/weight_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace credenet {

WeightTable::WeightTable(const FamilyLists& lists) : WeightTable(lists.n_variables()) {
  assert(n_ <= kMostSummed);
  for (std::size_t variable = 0; variable < n_; ++variable) {
    const std::span<double> weights = of(variable);
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      std::uint32_t set = 0;
      for (const std::int32_t parent : lists.parents_of(family)) {
        set |= bit_of(static_cast<std::size_t>(parent));
      }
      // Families that differ in parents outside the lists only are one here.
      double& weight = weights[without(set, variable)];
      const double larger = std::max(weight, lists.scores[family]);
      const double smaller = std::min(weight, lists.scores[family]);
      weight = std::isfinite(smaller) ? larger + std::log1p(std::exp(smaller - larger)) : larger;
    }
  }
}

}  // namespace credenet
