#include "credenet/posterior/weight_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace credenet {

WeightTable::WeightTable(const FamilyLists& lists) : WeightTable(lists.n_variables()) {
  assert(n_ <= kMostSummed);
  for (std::size_t variable = 0; variable < n_; ++variable) {
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      add(variable, parent_bits(lists, family), lists.scores[family]);
    }
  }
}

void WeightTable::add(std::size_t variable, std::uint32_t set, double log_weight) {
  double& weight = of(variable)[without(set, variable)];
  const double larger = std::max(weight, log_weight);
  const double smaller = std::min(weight, log_weight);
  weight = std::isfinite(smaller) ? larger + std::log1p(std::exp(smaller - larger)) : larger;
}

}  // namespace credenet
