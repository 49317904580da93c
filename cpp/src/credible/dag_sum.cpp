// The sum of exp(score) over all DAGs, by inclusion and exclusion over sets of sinks (Tian and He
// 2009). With A_i(U) the sum of exp(score) over the families of i inside U,
//   Z(S) = sum over T, not empty, in S of (-1)^(|T|+1) Z(S \ T) prod over i in T of A_i(S \ T),
// 3^n terms, pushed from each U = S \ T to all S, so that products grow by one factor at a time.
//
// The signs alternate, so rounding errors grow: a term with |T| = k is at most binom(|S|, k) Z(S),
// hence a relative error e of all operations becomes at most about e times the number of ordered
// partitions of n variables, 2.7e21 for 20. With numbers of 104 bits that is below 1e-8, whatever
// the scores; with doubles it would be without meaning. The A_i must be as accurate, as their
// errors do not belong to any weights of families; those of exp(score) do, and do not grow.
//
// Scores of large data differ by thousands, so every number has a power of two of its own: A_i(U)
// that of its largest part, Z(S) that of its largest term with one sink.
#include "credenet/credible/dag_sum.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "credenet/util/clones.hpp"
#include "credenet/util/double_double.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr double kLog2 = 0.693147180559945309417232121458176568;
constexpr std::int32_t kZero = -(1 << 26);  // the exponent of 0; twenty of them can be added
constexpr std::size_t kTop = 4;             // variables whose presence in S selects the block

std::uint32_t bit(std::size_t variable) { return std::uint32_t{1} << variable; }

// 2^exponent; 0 where that is too small for a double.
double power(std::int32_t exponent) {
  assert(exponent < 1000);
  const std::int32_t biased = std::max(exponent + 1023, 0);
  return std::bit_cast<double>(static_cast<std::uint64_t>(biased) << 52);
}

// Numbers with exponents, in columns.
struct Column {
  explicit Column(std::size_t n) : high(n, 0.0), low(n, 0.0), exponent(n, kZero) {}

  std::vector<double> high;
  std::vector<double> low;
  std::vector<std::int32_t> exponent;

  // Adds the number at one place to that at another.
  void add(std::size_t to, std::size_t from) {
    const std::int32_t larger = std::max(exponent[to], exponent[from]);
    const double ours = power(std::max(exponent[to] - larger, -1023));
    const double theirs = power(std::max(exponent[from] - larger, -1023));
    const DoubleDouble sum = DoubleDouble{high[to] * ours, low[to] * ours} +
                             DoubleDouble{high[from] * theirs, low[from] * theirs};
    high[to] = sum.high;
    low[to] = sum.low;
    exponent[to] = larger;
  }

  // Makes the number at least 1 and less than 2.
  void normalise(std::size_t at) {
    if (high[at] == 0) return;
    const int shift = std::ilogb(high[at]);
    high[at] = std::scalbn(high[at], -shift);
    low[at] = std::scalbn(low[at], -shift);
    exponent[at] += shift;
  }
};

// A set without one variable, which it does not hold, as a shorter number.
std::size_t without(std::uint32_t set, std::size_t variable) {
  const std::uint32_t below = bit(variable) - 1;
  return (set & below) | ((set >> 1) & ~below);
}

// A_i of all sets of other variables, less the largest score, which is returned.
double sum_over_subsets(const FamilyLists& lists, std::size_t variable, Column& sums) {
  const std::size_t n = lists.n_variables();
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
    largest = std::max(largest, lists.scores[family]);
  }
  if (!std::isfinite(largest)) return largest;
  for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
    std::uint32_t set = 0;
    for (const std::int32_t parent : lists.parents_of(family)) {
      set |= bit(static_cast<std::size_t>(parent));
    }
    const double below = lists.scores[family] - largest;
    const double exponent = std::floor(below / kLog2);
    if (!(exponent > kZero / 2.0)) continue;
    const std::size_t at = without(set, variable);
    sums.high[at] = std::exp(below - exponent * kLog2);
    sums.exponent[at] = static_cast<std::int32_t>(exponent);
  }
  const std::size_t n_sets = std::size_t{1} << (n - 1);
  for (std::size_t step = 1; step < n_sets; step <<= 1) {
    for (std::size_t set = step; set < n_sets; set = (set + 1) | step) sums.add(set, set ^ step);
  }
  for (std::size_t set = 0; set < n_sets; ++set) sums.normalise(set);
  return largest;
}

// One factor -A_i(U) of a product.
struct Factor {
  std::uint32_t member;
  std::int32_t exponent;
  DoubleDouble value;
};

// Products over all subsets of the factors, by doubling.
struct Products {
  explicit Products(std::size_t n) : high(n), low(n), exponent(n), set(n) {}

  std::vector<double> high;
  std::vector<double> low;
  std::vector<std::int32_t> exponent;
  std::vector<std::uint32_t> set;
};

CREDENET_CLONES
void multiply(Products& products, std::size_t n, const Factor& factor) {
  double* high = products.high.data();
  double* low = products.low.data();
  std::int32_t* exponent = products.exponent.data();
  std::uint32_t* set = products.set.data();
  for (std::size_t at = 0; at < n; ++at) {
    const DoubleDouble product = DoubleDouble{high[at], low[at]} * factor.value;
    high[n + at] = product.high;
    low[n + at] = product.low;
    exponent[n + at] = exponent[at] + factor.exponent;
    set[n + at] = set[at] | factor.member;
  }
}

CREDENET_CLONES
void push(const Products& products, std::size_t first, std::size_t n, Column& sums) {
  double* high = sums.high.data();
  double* low = sums.low.data();
  const std::int32_t* exponent = sums.exponent.data();
  for (std::size_t at = first; at < n; ++at) {
    const std::uint32_t set = products.set[at];
    const double scale = power(std::max(products.exponent[at] - exponent[set], -1023));
    // Each product has a sign for every factor; one more makes that of a single sink positive.
    const DoubleDouble sum = DoubleDouble{high[set], low[set]} +
                             DoubleDouble{-products.high[at] * scale, -products.low[at] * scale};
    high[set] = sum.high;
    low[set] = sum.low;
  }
}

class DagSum {
 public:
  DagSum(std::size_t n, const std::vector<Column>& families)
      : n_(n),
        n_top_(n > 2 * kTop ? kTop : 0),
        families_(families),
        sums_(std::size_t{1} << n),
        n_terms_(static_cast<std::uint64_t>(std::pow(3.0, static_cast<double>(n)))) {}

  // False if the control stopped it.
  bool run(unsigned n_threads, Control& control) {
    sums_.exponent[0] = 0;
    sums_.high[0] = 1.0;
    for (std::uint32_t set = 1; set < bit(n_); ++set) {
      for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
        const auto sink = static_cast<std::size_t>(std::countr_zero(rest));
        const std::uint32_t others = set ^ bit(sink);
        const std::int32_t one = sums_.exponent[others];
        const std::int32_t other = families_[sink].exponent[without(others, sink)];
        if (one == kZero || other == kZero) continue;
        sums_.exponent[set] = std::max(sums_.exponent[set], one + other);
      }
    }
    // Blocks write apart: each has the sets S with the same of the last variables. The largest come
    // first.
    std::vector<std::uint32_t> tops(std::size_t{1} << n_top_);
    std::iota(tops.begin(), tops.end(), std::uint32_t{0});
    std::ranges::stable_sort(tops, std::ranges::greater{},
                             [](std::uint32_t top) { return std::popcount(top); });
    std::atomic<bool> stop{false};
    for (std::size_t size = 0; size < n_ && !stop; ++size) {
      parallel_blocks(tops.size(), n_threads, stop, [&](std::size_t block, unsigned worker) {
        push_layer(size, tops[block], stop, worker == 0 ? &control : nullptr);
      });
    }
    return !stop;
  }

  // Of all DAGs.
  [[nodiscard]] double log_sum() const {
    const std::size_t all = bit(n_) - 1;
    if (sums_.exponent[all] == kZero) return -std::numeric_limits<double>::infinity();
    return std::log(sums_.high[all]) + kLog2 * sums_.exponent[all];
  }

 private:
  // From all U of a size to the S with the given last variables.
  void push_layer(std::size_t size, std::uint32_t top, std::atomic<bool>& stop, Control* control) {
    const std::size_t n_low = n_ - n_top_;
    Products products(std::size_t{1} << n_low);
    for (std::uint32_t inside = top;; inside = (inside - 1) & top) {
      const auto n_inside = static_cast<std::size_t>(std::popcount(inside));
      if (n_inside <= size && size - n_inside <= n_low) {
        const std::size_t n_others = size - n_inside;
        std::uint32_t low = bit(n_others) - 1;
        while (true) {
          const std::size_t n = push_set(low | inside << n_low, top << n_low, products);
          const std::uint64_t done = n_done_.fetch_add(n, std::memory_order_relaxed) + n;
          if (control != nullptr && !control->poll({done, std::max(done, n_terms_)})) stop = true;
          if (stop.load(std::memory_order_relaxed)) return;
          if (n_others == 0 || n_others == n_low) break;
          // The next set of the same size (Gosper).
          const std::uint32_t lowest = low & (~low + 1);
          const std::uint32_t carried = low + lowest;
          if (carried >= bit(n_low)) break;
          low = carried | (((low ^ carried) / lowest) >> 2);
        }
      }
      if (inside == 0) break;
    }
  }

  // The number of terms from U to the S that have these last variables.
  std::size_t push_set(std::uint32_t set, std::uint32_t top, Products& products) {
    if (sums_.exponent[set] == kZero) return 0;
    products.high[0] = sums_.high[set];
    products.low[0] = sums_.low[set];
    products.exponent[0] = sums_.exponent[set];
    products.set[0] = set;
    for (std::uint32_t rest = top & ~set; rest != 0; rest &= rest - 1) {
      const Factor factor = factor_of(static_cast<std::size_t>(std::countr_zero(rest)), set);
      const DoubleDouble product = DoubleDouble{products.high[0], products.low[0]} * factor.value;
      products.high[0] = product.high;
      products.low[0] = product.low;
      products.exponent[0] += factor.exponent;
      products.set[0] |= factor.member;
    }
    std::size_t n = 1;
    for (std::size_t variable = 0; variable < n_ - n_top_; ++variable) {
      if ((set & bit(variable)) != 0) continue;
      multiply(products, n, factor_of(variable, set));
      n *= 2;
    }
    push(products, (top & ~set) == 0 ? 1 : 0, n, sums_);
    return n;
  }

  [[nodiscard]] Factor factor_of(std::size_t variable, std::uint32_t set) const {
    const Column& sums = families_[variable];
    const std::size_t at = without(set, variable);
    return {bit(variable), sums.exponent[at], {-sums.high[at], -sums.low[at]}};
  }

  std::size_t n_;
  std::size_t n_top_;
  const std::vector<Column>& families_;
  Column sums_;
  std::uint64_t n_terms_;
  std::atomic<std::uint64_t> n_done_{0};
};

}  // namespace

std::uint64_t dag_sum_bytes(std::size_t n_variables) {
  constexpr std::uint64_t kNumber = 2 * sizeof(double) + sizeof(std::int32_t);
  return (std::uint64_t{1} << n_variables) * kNumber * (n_variables + 2) / 2;
}

double log_sum_of_dags(const FamilyLists& lists, unsigned n_threads, Control& control) {
  const std::size_t n = lists.n_variables();
  assert(n <= kMostSummed);
  if (n == 0) return 0.0;
  std::vector<Column> families(n, Column(std::size_t{1} << (n - 1)));
  std::vector<double> largest(n);
  std::atomic<bool> stop{false};
  parallel_blocks(n, n_threads, stop, [&](std::size_t variable, unsigned worker) {
    largest[variable] = sum_over_subsets(lists, variable, families[variable]);
    if (worker == 0 && !control.poll({0, 0})) stop = true;
  });
  if (stop) return std::numeric_limits<double>::quiet_NaN();
  DagSum sum(n, families);
  if (!sum.run(n_threads, control)) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(largest.begin(), largest.end(), sum.log_sum());
}

}  // namespace credenet
