#include "credenet/posterior/dag_sums.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "credenet/posterior/scaled_sums.hpp"
#include "credenet/posterior/tiled_sums.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

constexpr std::uint32_t kSetsOfPoll = 1 << 12;  // Sets from one poll to the next.
// Most bits between the largest and the smallest product of doubles.
constexpr double kMostBits = 900;

// Adds the first of each two neighbouring blocks to the second, or the second to the first.
CREDENET_CLONES
void add_blocks(double* values, std::size_t n, std::size_t step, bool upwards) {
  for (std::size_t begin = 0; begin < n; begin += 2 * step) {
    double* from = values + begin + (upwards ? 0 : step);
    double* to = values + begin + (upwards ? step : 0);
    for (std::size_t at = 0; at < step; ++at) to[at] += from[at];
  }
}

// Adds up over all subsets (upwards) or supersets.
void add_related(std::span<double> values, bool upwards) {
  for (std::size_t step = 1; step < values.size(); step *= 2) {
    add_blocks(values.data(), values.size(), step, upwards);
  }
}

void add_related(ScaledTable& table, std::size_t begin, std::size_t n, bool upwards) {
  for (std::size_t step = 1; step < n; step *= 2) {
    for (std::size_t set = step; set < n; set = (set + 1) | step) {
      const std::size_t from = begin + (upwards ? set ^ step : set);
      const std::size_t to = begin + (upwards ? set : set ^ step);
      table.set(to, table[to] + table[from]);
    }
  }
}

// The smallest weight, over the sets that have a family inside, of the best family inside: that of
// the empty set, or else at least the smallest of all.
double smallest_weight(std::span<const double> weights) {
  if (std::isfinite(weights[0])) return weights[0];
  double smallest = 0;
  for (const double weight : weights) {
    if (std::isfinite(weight)) smallest = std::min(smallest, weight);
  }
  return smallest;
}

class Summing {
 public:
  Summing(const WeightTable& weights, unsigned n_threads, Control& control)
      : weights_(weights), n_(weights.n_variables()), n_threads_(n_threads), control_(control) {}

  std::unique_ptr<DagSums> run(bool backward, bool by_orders) {
    sums_ = std::make_unique<DagSums>();
    sums_->n_variables = n_;
    sums_->by_orders = by_orders;
    if (n_ == 0) {
      sums_->forward = ScaledTable(1, false);
      sums_->forward.values[0] = 1;
      if (backward) sums_->backward = sums_->forward;
      return std::move(sums_);
    }
    find_scale();
    if (!sum_families()) return nullptr;
    return sum_sets(backward) ? std::move(sums_) : nullptr;
  }

 private:
  void find_scale() {
    double bits = 0;
    for (std::size_t variable = 0; variable < n_; ++variable) {
      const auto weights = weights_.of(variable);
      const double largest = std::ranges::max(weights);
      sums_->log_shift.push_back(std::isfinite(largest) ? largest : 0.0);
      if (std::isfinite(largest)) bits += (largest - smallest_weight(weights)) / std::numbers::ln2;
    }
    has_exponents_ = sums_->by_orders || bits > kMostBits;
  }

  // Finds A_v(U).
  bool sum_families() {
    const std::size_t n_sets = weights_.n_sets();
    ScaledTable& table = sums_->of_families = ScaledTable(n_ * n_sets, has_exponents_);
    std::atomic<bool> is_cut{false};
    const bool is_done = for_each_variable([&](std::size_t variable) {
      const auto weights = weights_.of(variable);
      const std::size_t begin = variable * n_sets;
      for (std::size_t set = 0; set < n_sets; ++set) {
        const double below = weights[set] - sums_->log_shift[variable];
        if (!has_exponents_) {
          table.values[begin + set] = std::exp(below);
        } else if (const double exponent = std::floor(below / std::numbers::ln2);
                   exponent > Scaled::kZero / 2.0) {
          table.set(begin + set, {std::exp(below - exponent * std::numbers::ln2),
                                  static_cast<Exponent>(exponent)});
        } else if (std::isfinite(below)) {
          is_cut = true;
        }
      }
      if (!has_exponents_) {
        return add_related(std::span(table.values).subspan(begin, n_sets), true);
      }
      add_related(table, begin, n_sets, true);
      for (std::size_t at = begin; at < begin + n_sets; ++at) {
        table.set(at, Scaled::normal(table.values[at], table.exponents[at]));
      }
    });
    sums_->is_cut = is_cut;
    return is_done;
  }

  bool sum_sets(bool backward) {
    if (sums_->by_orders) return sum_orders(backward);
    if (!has_exponents_) return sum_tiled(backward);
    return has_short_exponents(sums_->of_families) ? sum_scaled<std::int32_t>(backward)
                                                   : sum_scaled<std::int64_t>(backward);
  }

  bool sum_tiled(bool backward) {
    TiledSums tiled(n_, sums_->of_families.values, n_threads_);
    sums_->forward = ScaledTable(std::size_t{1} << n_, false);
    if (!tiled.add_forward(sums_->forward.values, control_)) return false;
    find_log_sum();
    if (!backward || !std::isfinite(sums_->log_sum)) return true;
    sums_->backward = ScaledTable(std::size_t{1} << n_, false);
    std::vector<double>& derivatives = sums_->family_probabilities;
    derivatives.assign(n_ * weights_.n_sets(), 0.0);
    if (!tiled.add_backward(sums_->forward.values, sums_->backward.values, derivatives, control_)) {
      return false;
    }
    const double all = sums_->forward.values.back();
    const std::size_t n_sets = weights_.n_sets();
    return for_each_variable([&](std::size_t variable) {
      const auto own = std::span(derivatives).subspan(variable * n_sets, n_sets);
      add_related(own, false);
      const auto weights = weights_.of(variable);
      for (std::size_t set = 0; set < n_sets; ++set) {
        own[set] *= std::exp(weights[set] - sums_->log_shift[variable]) / all;
      }
    });
  }

  template <typename Whole>
  bool sum_scaled(bool backward) {
    ScaledSums<Whole> scaled(n_, sums_->of_families, n_threads_);
    sums_->forward = ScaledTable(std::size_t{1} << n_, true);
    if (!scaled.add_forward(sums_->forward, control_)) return false;
    find_log_sum();
    if (!backward || !std::isfinite(sums_->log_sum)) return true;
    sums_->backward = ScaledTable(std::size_t{1} << n_, true);
    ScaledTable derivatives(n_ * weights_.n_sets(), true);
    if (!scaled.add_backward(sums_->forward, sums_->backward, derivatives, control_)) return false;
    return find_probabilities(derivatives);
  }

  bool sum_orders(bool backward) {
    const std::uint32_t all = bit_of(n_) - 1;
    ScaledTable& forward = sums_->forward = ScaledTable(std::size_t{1} << n_, true);
    forward.set(0, {1.0, 0});
    for (std::uint32_t set = 1; set <= all; ++set) {
      Scaled sum;
      for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
        const auto last = static_cast<std::size_t>(std::countr_zero(rest));
        sum = sum + forward[set ^ bit_of(last)] * of_family(last, set ^ bit_of(last));
      }
      forward.set(set, Scaled::normal(sum.value, sum.exponent));
      if (set % kSetsOfPoll == 0 && !control_.poll({set, all})) return false;
    }
    find_log_sum();
    if (!backward || !std::isfinite(sums_->log_sum)) return true;
    ScaledTable& after = sums_->backward = ScaledTable(std::size_t{1} << n_, true);
    ScaledTable derivatives(n_ * weights_.n_sets(), true);
    after.set(all, {1.0, 0});
    for (std::uint32_t set = all; set-- > 0;) {
      Scaled sum;
      for (std::uint32_t rest = all & ~set; rest != 0; rest &= rest - 1) {
        const auto next = static_cast<std::size_t>(std::countr_zero(rest));
        const Scaled further = after[set | bit_of(next)];
        sum = sum + further * of_family(next, set);
        derivatives.set((next << (n_ - 1)) + without(set, next), forward[set] * further);
      }
      after.set(set, Scaled::normal(sum.value, sum.exponent));
      if (set % kSetsOfPoll == 0 && !control_.poll({all - set, all})) return false;
    }
    return find_probabilities(derivatives);
  }

  [[nodiscard]] Scaled of_family(std::size_t variable, std::uint32_t set) const {
    return sums_->of_families[(variable << (n_ - 1)) + without(set, variable)];
  }

  // Finds the probabilities from the derivatives of the sum by A_v(U).
  bool find_probabilities(ScaledTable& derivatives) {
    const Scaled all = sums_->forward[(std::size_t{1} << n_) - 1];
    const std::size_t n_sets = weights_.n_sets();
    sums_->family_probabilities.assign(n_ * n_sets, 0.0);
    return for_each_variable([&](std::size_t variable) {
      const std::size_t begin = variable * n_sets;
      add_related(derivatives, begin, n_sets, false);
      const auto weights = weights_.of(variable);
      for (std::size_t set = 0; set < n_sets; ++set) {
        if (!std::isfinite(weights[set])) continue;
        const double below = (weights[set] - sums_->log_shift[variable]) / std::numbers::ln2;
        const double exponent = std::floor(below);
        if (exponent <= Scaled::kZero / 2.0) continue;
        const Scaled weight{std::exp2(below - exponent), static_cast<Exponent>(exponent)};
        sums_->family_probabilities[begin + set] = (derivatives[begin + set] * weight).over(all);
      }
    });
  }

  void find_log_sum() {
    const Scaled all = sums_->forward[(std::size_t{1} << n_) - 1];
    sums_->log_sum = -std::numeric_limits<double>::infinity();
    if (!(all.value > 0)) return;
    double sum = std::log(all.value) + std::numbers::ln2 * static_cast<double>(all.exponent);
    for (const double shift : sums_->log_shift) sum += shift;
    sums_->log_sum = sum;
  }

  template <typename Work>
  bool for_each_variable(Work&& work) {
    std::atomic<bool> stop{false};
    parallel_blocks(n_, n_threads_, stop, [&](std::size_t variable, unsigned worker) {
      work(variable);
      if (worker == 0 && !control_.poll({0, 0})) stop = true;
    });
    return !stop;
  }

  const WeightTable& weights_;
  std::size_t n_;
  unsigned n_threads_;
  Control& control_;
  bool has_exponents_ = false;
  std::unique_ptr<DagSums> sums_;
};

}  // namespace

std::uint64_t dag_sums_bytes(std::size_t n_variables, bool backward) {
  // Bytes of a number with its exponent.
  constexpr std::uint64_t kNumber = sizeof(double) + sizeof(Exponent);
  const std::uint64_t n_sets = std::uint64_t{1} << n_variables;
  const std::uint64_t n_families = n_sets / 2 * n_variables;
  const std::uint64_t forward = n_families * (sizeof(double) + kNumber) + n_sets * 4 * kNumber;
  return forward + (backward ? n_families * (kNumber + sizeof(double)) + n_sets * kNumber : 0);
}

std::unique_ptr<DagSums> dag_sums(const WeightTable& weights, bool backward, unsigned n_threads,
                                  Control& control) {
  assert(weights.n_variables() <= kMostSummed);
  return Summing(weights, n_threads, control).run(backward, false);
}

std::unique_ptr<DagSums> order_sums(const WeightTable& weights, bool backward, unsigned n_threads,
                                    Control& control) {
  assert(weights.n_variables() <= kMostSummed);
  return Summing(weights, n_threads, control).run(backward, true);
}

}  // namespace credenet
