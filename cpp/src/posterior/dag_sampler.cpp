#include "credenet/posterior/dag_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "credenet/posterior/sink_draws.hpp"

namespace credenet {

DagSampler::DagSampler(const DagSums& sums, const FamilyLists& lists)
    : sums_(sums), n_(sums.n_variables), families_(n_), order_(n_) {
  for (std::size_t variable = 0; variable < n_; ++variable) {
    for (std::size_t at = lists.begin(variable); at < lists.end(variable); ++at) {
      const double bits = (lists.scores[at] - sums.log_shift[variable]) / std::numbers::ln2;
      const double whole = std::floor(bits);
      if (whole <= Scaled::kZero / 2.0) continue;
      families_[variable].push_back({parent_bits(lists, at),
                                     {std::exp2(bits - whole), static_cast<Exponent>(whole)},
                                     static_cast<std::int64_t>(at)});
    }
    std::ranges::stable_sort(families_[variable], [](const Family& a, const Family& b) {
      return a.weight.exponent != b.weight.exponent ? a.weight.exponent > b.weight.exponent
                                                    : a.weight.value > b.weight.value;
    });
  }
  const std::uint32_t all = bit_of(n_) - 1;
  std::vector<double> as_sink(n_);
  for (std::size_t variable = 0; variable < n_; ++variable) {
    const std::uint32_t others = all & ~bit_of(variable);
    as_sink[variable] =
        (sums.forward[others] * of_family(variable, others)).over(sums.forward[all]);
  }
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, std::ranges::greater{},
                           [&](std::size_t variable) { return as_sink[variable]; });
}

Scaled DagSampler::of_family(std::size_t variable, std::uint32_t set) const {
  return sums_.of_families[(variable << (n_ - 1)) + without(set, variable)];
}

const DagSampler::Family& DagSampler::draw_family(std::size_t variable, std::uint32_t within,
                                                  Random& random) const {
  const Scaled all = of_family(variable, within);
  double left = random.uniform();
  const Family* chosen = nullptr;
  for (const Family& family : families_[variable]) {
    if ((family.parents & ~within) != 0) continue;
    chosen = &family;  // Rounding must not end without a family.
    left -= family.weight.over(all);
    if (left < 0) break;
  }
  return *chosen;
}

void DagSampler::draw(Random& random, std::span<std::int64_t> families) {
  SinkDraws<DagSampler>(*this, order_)
      .draw(sums_.by_orders, random,
            [&](std::size_t variable, const Family& family) { families[variable] = family.place; });
}

}  // namespace credenet
