#include "credenet/posterior/scaled_sums.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "credenet/posterior/weight_table.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

// Last variables that choose the block of a thread, if there are more than twice as many.
constexpr std::size_t kTopVariables = 4;
constexpr int kRounding = 3;  // Error of three exponents that are rounded down.
constexpr std::size_t kBlockSets = 64;

template <typename Whole>
[[gnu::always_inline]] inline void multiply_all(double* values, Whole* exponents,
                                                std::uint32_t* sets, std::size_t n, double value,
                                                Whole exponent, std::uint32_t member) {
  for (std::size_t at = 0; at < n; ++at) {
    values[n + at] = values[at] * value;
    exponents[n + at] = exponents[at] + exponent;
    sets[n + at] = sets[at] | member;
  }
}

template <typename Whole>
[[gnu::always_inline]] inline void add_all(const double* values, const Whole* exponents,
                                           const std::uint32_t* sets, std::size_t first,
                                           std::size_t n, double* sums, const Whole* scales) {
  for (std::size_t at = first; at < n; ++at) {
    const std::uint32_t set = sets[at];
    sums[set] += values[at] * power_of_two(exponents[at] - scales[set]);
  }
}

template <typename Whole>
[[gnu::always_inline]] inline void weigh_all(double* values, const Whole* exponents,
                                             const std::uint32_t* sets, std::size_t n,
                                             const double* sums, const Whole* scales, Whole scale) {
  for (std::size_t at = 0; at < n; ++at) {
    const std::uint32_t set = sets[at];
    values[at] *= sums[set] * power_of_two(exponents[at] + scales[set] - scale);
  }
}

// A template cannot be compiled for several instruction sets, an overload can.
CREDENET_CLONES
void multiply(double* values, std::int32_t* exponents, std::uint32_t* sets, std::size_t n,
              double value, std::int32_t exponent, std::uint32_t member) {
  multiply_all(values, exponents, sets, n, value, exponent, member);
}
CREDENET_CLONES
void multiply(double* values, std::int64_t* exponents, std::uint32_t* sets, std::size_t n,
              double value, std::int64_t exponent, std::uint32_t member) {
  multiply_all(values, exponents, sets, n, value, exponent, member);
}

CREDENET_CLONES
void add_terms(const double* values, const std::int32_t* exponents, const std::uint32_t* sets,
               std::size_t first, std::size_t n, double* sums, const std::int32_t* scales) {
  add_all(values, exponents, sets, first, n, sums, scales);
}
CREDENET_CLONES
void add_terms(const double* values, const std::int64_t* exponents, const std::uint32_t* sets,
               std::size_t first, std::size_t n, double* sums, const std::int64_t* scales) {
  add_all(values, exponents, sets, first, n, sums, scales);
}

CREDENET_CLONES
void weigh_terms(double* values, const std::int32_t* exponents, const std::uint32_t* sets,
                 std::size_t n, const double* sums, const std::int32_t* scales,
                 std::int32_t scale) {
  weigh_all(values, exponents, sets, n, sums, scales, scale);
}
CREDENET_CLONES
void weigh_terms(double* values, const std::int64_t* exponents, const std::uint32_t* sets,
                 std::size_t n, const double* sums, const std::int64_t* scales,
                 std::int64_t scale) {
  weigh_all(values, exponents, sets, n, sums, scales, scale);
}

}  // namespace

bool has_short_exponents(const ScaledTable& table) {
  constexpr Exponent kLeast = -(1 << 25);  // Smallest short exponent: 26 of them fit into 32 bits.
  for (std::size_t at = 0; at < table.values.size(); ++at) {
    if (table.values[at] != 0 && table.exponents[at] < kLeast) return false;
  }
  return true;
}

// Products over the subsets of some factors, by doubling; memory of one thread.
template <typename Whole>
struct ScaledSums<Whole>::Products {
  explicit Products(std::size_t n_variables)
      : values(std::size_t{1} << n_variables),
        exponents(std::size_t{1} << n_variables),
        sets(std::size_t{1} << n_variables) {}

  void begin(double value, Whole exponent, std::uint32_t set) {
    values[0] = value;
    exponents[0] = exponent;
    sets[0] = set;
    n = 1;
  }
  void multiply_first(const Scaled& factor, std::uint32_t member) {
    values[0] *= factor.value;
    exponents[0] += static_cast<Whole>(factor.exponent);
    sets[0] |= member;
  }
  void multiply_by(const Scaled& factor, std::uint32_t member) {
    multiply(values.data(), exponents.data(), sets.data(), n, factor.value,
             static_cast<Whole>(factor.exponent), member);
    n *= 2;
  }

  std::vector<double> values;
  std::vector<Whole> exponents;
  std::vector<std::uint32_t> sets;
  std::size_t n = 0;
};

template <typename Whole>
ScaledSums<Whole>::ScaledSums(std::size_t n_variables, const ScaledTable& of_families,
                              unsigned n_threads)
    : n_(n_variables),
      n_top_(n_variables > 2 * kTopVariables ? kTopVariables : 0),
      of_families_(of_families),
      n_threads_(std::max(n_threads, 1U)) {
  find_best_orders();
}

template <typename Whole>
Scaled ScaledSums<Whole>::of_family(std::size_t variable, std::uint32_t set) const {
  return of_families_[(variable << (n_ - 1)) + without(set, variable)];
}

template <typename Whole>
void ScaledSums<Whole>::find_best_orders() {
  const auto whole = [](double exponent) {
    return std::isfinite(exponent) ? static_cast<Whole>(std::floor(exponent)) : kNone;
  };
  constexpr double kImpossible = -std::numeric_limits<double>::infinity();
  const std::uint32_t all = bit_of(n_) - 1;
  std::vector<double> best(std::size_t{1} << n_, kImpossible);
  best_before_.assign(best.size(), kNone);
  best_after_.assign(best.size(), kNone);
  best[0] = 0;
  for (std::uint32_t set = 0; set <= all; ++set) {
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
      const auto last = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint32_t others = set ^ bit_of(last);
      if (best[others] == kImpossible) continue;
      const Scaled family = of_family(last, others);
      if (family.value > 0) best[set] = std::max(best[set], best[others] + family.log2());
    }
    best_before_[set] = whole(best[set]);
  }
  least_ = best_before_[all] - static_cast<Whole>(kCut);
  std::ranges::fill(best, kImpossible);
  best[all] = 0;
  for (std::uint32_t set = all;; --set) {
    for (std::uint32_t rest = all & ~set; rest != 0; rest &= rest - 1) {
      const auto next = static_cast<std::size_t>(std::countr_zero(rest));
      if (best[set | bit_of(next)] == kImpossible) continue;
      const Scaled family = of_family(next, set);
      if (family.value > 0) {
        best[set] = std::max(best[set], family.log2() + best[set | bit_of(next)]);
      }
    }
    best_after_[set] = whole(best[set]);
    if (set == 0) break;
  }
}

template <typename Whole>
bool ScaledSums<Whole>::counts(std::uint32_t set) const {
  return best_before_[set] + best_after_[set] + kRounding >= least_;
}

template <typename Whole>
std::uint32_t ScaledSums<Whole>::addable(std::uint32_t set) const {
  std::uint32_t found = 0;
  for (std::uint32_t rest = (bit_of(n_) - 1) & ~set; rest != 0; rest &= rest - 1) {
    const auto variable = static_cast<std::size_t>(std::countr_zero(rest));
    const Scaled family = of_family(variable, set);
    if (family.value == 0) continue;
    const auto exponent = static_cast<Whole>(family.exponent);
    const Whole after = best_after_[set | bit_of(variable)];
    if (best_before_[set] + exponent + after + kRounding >= least_) found |= bit_of(variable);
  }
  return found;
}

template <typename Whole>
void ScaledSums<Whole>::push(std::uint32_t set, std::uint32_t top, Products& products,
                             ScaledTable& forward) const {
  const std::uint32_t added = addable(set);
  const std::uint32_t all_top = (bit_of(n_top_) - 1) << (n_ - n_top_);
  const std::uint32_t added_top = top & ~set;
  if ((added_top & ~added) != 0) return;
  // Each product has a sign for every factor; one more makes that of a single sink positive.
  products.begin(-forward.values[set], best_before_[set], set);
  for (std::uint32_t rest = added_top; rest != 0; rest &= rest - 1) {
    const auto variable = static_cast<std::size_t>(std::countr_zero(rest));
    products.multiply_first(-of_family(variable, set), bit_of(variable));
  }
  for (std::uint32_t rest = added & ~all_top; rest != 0; rest &= rest - 1) {
    const auto variable = static_cast<std::size_t>(std::countr_zero(rest));
    products.multiply_by(-of_family(variable, set), bit_of(variable));
  }
  add_terms(products.values.data(), products.exponents.data(), products.sets.data(),
            added_top == 0 ? 1 : 0, products.n, forward.values.data(), best_before_.data());
}

template <typename Whole>
bool ScaledSums<Whole>::add_forward(ScaledTable& forward, Control& control) {
  const std::uint32_t all = bit_of(n_) - 1;
  std::ranges::fill(forward.values, 0.0);
  std::ranges::transform(best_before_, forward.exponents.begin(), exponent_of);
  forward.values[0] = 1;
  if (best_before_[all] == kNone) return true;  // There is no DAG.
  std::vector<std::vector<std::uint32_t>> layers(n_ + 1);
  for (std::uint32_t set = 0; set <= all; ++set) {
    if (counts(set)) layers[static_cast<std::size_t>(std::popcount(set))].push_back(set);
  }
  std::vector<std::uint32_t> tops(std::size_t{1} << n_top_);
  std::iota(tops.begin(), tops.end(), std::uint32_t{0});
  std::ranges::stable_sort(tops, std::ranges::greater{},
                           [](std::uint32_t top) { return std::popcount(top); });
  std::vector<Products> products(n_threads_, Products(n_ - n_top_));
  std::atomic<bool> stop{false};
  for (std::size_t size = 0; size < n_ && !stop; ++size) {
    parallel_blocks(tops.size(), n_threads_, stop, [&](std::size_t block, unsigned worker) {
      const std::uint32_t top = tops[block] << (n_ - n_top_);
      const std::uint32_t all_top = (bit_of(n_top_) - 1) << (n_ - n_top_);
      for (const std::uint32_t set : layers[size]) {
        if ((set & all_top & ~top) != 0) continue;
        push(set, top, products[worker], forward);
        if (worker == 0 && !control.poll({size, n_})) stop = true;
        if (stop) return;
      }
    });
  }
  return !stop;
}

template <typename Whole>
void ScaledSums<Whole>::pull(std::uint32_t set, Products& products, const ScaledTable& forward,
                             ScaledTable& backward, ScaledTable& derivatives) const {
  const std::uint32_t added = addable(set);
  const Whole scale = best_after_[set];
  products.begin(-1.0, 0, set);
  for (std::uint32_t rest = added; rest != 0; rest &= rest - 1) {
    const auto variable = static_cast<std::size_t>(std::countr_zero(rest));
    products.multiply_by(-of_family(variable, set), bit_of(variable));
  }
  products.values[0] = 0;  // The empty product adds no variable.
  weigh_terms(products.values.data(), products.exponents.data(), products.sets.data(), products.n,
              backward.values.data(), best_after_.data(), scale);
  // Finds the sums over the terms with a variable, the last one first, by halving.
  double* terms = products.values.data();
  std::size_t n = products.n;
  for (std::uint32_t rest = added; rest != 0;) {
    const auto variable = static_cast<std::size_t>(std::bit_width(rest) - 1);
    rest ^= bit_of(variable);
    n /= 2;
    double with_variable = 0;
    for (std::size_t at = 0; at < n; ++at) {
      with_variable += terms[n + at];
      terms[at] += terms[n + at];
    }
    const Scaled family = of_family(variable, set);
    derivatives.set((variable << (n_ - 1)) + without(set, variable),
                    {forward.values[set] * with_variable / family.value,
                     forward.exponents[set] + scale - family.exponent});
  }
  backward.values[set] = terms[0];
}

template <typename Whole>
bool ScaledSums<Whole>::add_backward(const ScaledTable& forward, ScaledTable& backward,
                                     ScaledTable& derivatives, Control& control) {
  const std::uint32_t all = bit_of(n_) - 1;
  std::ranges::fill(backward.values, 0.0);
  std::ranges::transform(best_after_, backward.exponents.begin(), exponent_of);
  backward.values[all] = 1;
  if (best_before_[all] == kNone) return true;
  std::vector<std::vector<std::uint32_t>> layers(n_ + 1);
  for (std::uint32_t set = 0; set <= all; ++set) {
    if (counts(set)) layers[static_cast<std::size_t>(std::popcount(set))].push_back(set);
  }
  std::vector<Products> products(n_threads_, Products(n_));
  std::atomic<bool> stop{false};
  for (std::size_t size = n_; size-- > 0 && !stop;) {
    const auto& layer = layers[size];
    const std::size_t n_blocks = (layer.size() + kBlockSets - 1) / kBlockSets;
    parallel_blocks(n_blocks, n_threads_, stop, [&](std::size_t block, unsigned worker) {
      const std::size_t end = std::min(layer.size(), (block + 1) * kBlockSets);
      for (std::size_t at = block * kBlockSets; at < end; ++at) {
        pull(layer[at], products[worker], forward, backward, derivatives);
      }
      if (worker == 0 && !control.poll({n_ - size, n_})) stop = true;
    });
  }
  return !stop;
}

template class ScaledSums<std::int32_t>;
template class ScaledSums<std::int64_t>;

}  // namespace credenet
