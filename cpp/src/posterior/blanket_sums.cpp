#include "credenet/posterior/blanket_sums.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "credenet/posterior/dag_sums.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

// Weights relative to the best family of each variable, so that the log of a sum is small and
// exact.
WeightTable shifted(const WeightTable& weights) {
  WeightTable found(weights);
  for (std::size_t variable = 0; variable < found.n_variables(); ++variable) {
    const auto own = found.of(variable);
    const double largest = std::ranges::max(own);
    if (!std::isfinite(largest)) continue;
    for (double& weight : own) weight -= largest;
  }
  return found;
}

void keep_within(WeightTable& weights, std::size_t variable, std::uint32_t set) {
  for (std::size_t child = 0; child < weights.n_variables(); ++child) {
    const auto own = weights.of(child);
    const bool is_inside = (set & bit_of(child)) != 0;
    for (std::size_t place = 0; place < own.size(); ++place) {
      const std::uint32_t parents = with_gap(place, child);
      const bool is_near = child == variable || (parents & bit_of(variable)) != 0;
      const bool is_kept = !is_near || ((parents & ~bit_of(variable) & ~set) == 0 &&
                                        (child == variable || is_inside));
      if (!is_kept) own[place] = -std::numeric_limits<double>::infinity();
    }
  }
}

double log_sum(const WeightTable& weights, bool by_orders) {
  NoControl control;
  return (by_orders ? order_sums(weights, false, 1, control) : dag_sums(weights, false, 1, control))
      ->log_sum;
}

}  // namespace

std::optional<std::vector<double>> blanket_within(const WeightTable& weights, bool by_orders,
                                                  std::size_t variable,
                                                  std::span<const std::uint32_t> sets,
                                                  unsigned n_threads, Control& control) {
  const WeightTable all = shifted(weights);
  const double log_all = log_sum(all, by_orders);
  std::vector<double> found(sets.size());
  std::atomic<bool> stop{false};
  parallel_blocks(sets.size(), n_threads, stop, [&](std::size_t at, unsigned worker) {
    WeightTable kept(all);
    keep_within(kept, variable, sets[at]);
    found[at] = std::exp(log_sum(kept, by_orders) - log_all);
    if (worker == 0 && !control.poll({at, sets.size()})) stop = true;
  });
  if (stop) return std::nullopt;
  return found;
}

}  // namespace credenet
