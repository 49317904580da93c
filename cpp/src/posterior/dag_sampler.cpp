#include "credenet/posterior/dag_sampler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

namespace credenet {
DagSampler::DagSampler(const DagSums& sums, const FamilyLists& lists)
    : sums_(sums), n_(sums.n_variables), families_(n_), order_(n_) {
  for (std::size_t variable = 0; variable < n_; ++variable) {
    for (std::size_t at = lists.begin(variable); at < lists.end(variable); ++at) {
      const double bits = (lists.scores[at] - sums.log_shift[variable]) / std::numbers::ln2;
      const double whole = std::floor(bits);
      if (whole <= Scaled::kZero / 2.0) continue;
      families_[variable].push_back({parent_bits(lists, at),
                                     {std::exp2(bits - whole), static_cast<std::int32_t>(whole)},
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

Scaled DagSampler::weight(std::uint32_t set, std::uint32_t demanding) const {
  Scaled sum = sums_.forward[set];
  for (std::uint32_t sinks = demanding; sinks != 0; sinks = (sinks - 1) & demanding) {
    Scaled term = sums_.forward[set & ~sinks];
    for (std::uint32_t rest = sinks; rest != 0 && term.value != 0; rest &= rest - 1) {
      term = term * -of_family(static_cast<std::size_t>(std::countr_zero(rest)), set & ~sinks);
    }
    if (term.value != 0) sum = sum + term;
  }
  return sum;
}

Scaled DagSampler::weight_with_sink(std::uint32_t set, std::uint32_t demanding,
                                    std::size_t sink) const {
  const std::uint32_t others = set & ~bit_of(sink);
  Scaled sum;
  for (std::uint32_t sinks = demanding;; sinks = (sinks - 1) & demanding) {
    const std::uint32_t before = others & ~sinks;
    Scaled term = sums_.forward[before] * of_family(sink, before);
    for (std::uint32_t rest = sinks; rest != 0 && term.value != 0; rest &= rest - 1) {
      term = term * -of_family(static_cast<std::size_t>(std::countr_zero(rest)), before);
    }
    if (term.value != 0) sum = sum + term;
    if (sinks == 0) return sum;
  }
}

const DagSampler::Family& DagSampler::drawn_family(std::size_t variable, std::uint32_t within,
                                                   Random& random) const {
  const Scaled all = of_family(variable, within);
  double left = random.uniform();
  const Family* chosen = nullptr;
  for (const Family& family : families_[variable]) {
    if ((family.parents & ~within) != 0) continue;
    chosen = &family;  // rounding must not end without one
    left -= family.weight.over(all);
    if (left < 0) break;
  }
  return *chosen;
}

void DagSampler::draw(Random& random, std::span<std::int64_t> families) {
  std::uint32_t set = bit_of(n_) - 1;
  std::uint32_t demanding = 0;
  while (set != 0) {
    const Scaled all = weight(set, demanding);
    const bool by_orders = sums_.by_orders;
    double left = random.uniform();
    std::uint32_t before = 0;  // in the order; no sinks if a later variable is the first sink
    std::size_t sink = n_;
    std::uint32_t demanded = 0;
    for (const std::size_t variable : order_) {
      if ((set & bit_of(variable)) == 0) continue;
      if ((demanding & bit_of(variable)) == 0) {
        const double share = weight_with_sink(set, demanding | before, variable).over(all);
        if (share > 0) {
          sink = variable;  // rounding must not end without one
          demanded = demanding | before;
          left -= share;
          if (left < 0) break;
        }
      }
      // Of an order, any variable may be the last, and demands nothing of the others.
      if (!by_orders) before |= bit_of(variable);
    }
    const std::uint32_t others = set & ~bit_of(sink);
    while (true) {
      const Family& family = drawn_family(sink, others, random);
      const std::uint32_t open = demanded & ~family.parents;
      if (open != 0 && random.uniform() >= weight(others, open).over(sums_.forward[others])) {
        continue;
      }
      families[sink] = family.place;
      demanding = open;
      break;
    }
    set = others;
  }
}

}  // namespace credenet
