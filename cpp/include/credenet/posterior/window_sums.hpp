#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "credenet/posterior/scaled_table.hpp"
#include "credenet/posterior/sink_draws.hpp"
#include "credenet/posterior/weight_table.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Sums over all DAGs of a few variables, as DagSums, and draws from them. This is done again and
// again with other weights, so it takes no memory and no logarithms. Numbers are Plain or Scaled.
template <typename N>
class WindowSums {
 public:
  using Number = N;

  // Starts with the weights of all families of n variables, all 0.
  void start(std::size_t n) {
    n_ = n;
    weights_.assign(n << (n - 1), Number());
  }
  // The weight of a set of parents, which does not hold the variable.
  Number& weight(std::size_t variable, std::uint32_t parents) {
    return weights_[place(variable, parents)];
  }

  // Sums up; some DAG must have a weight.
  void sum() {
    sum_families();
    sum_forward();
    order_.resize(n_);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    shares_.resize(n_);
    const std::uint32_t all = bit_of(n_) - 1;
    for (std::size_t v = 0; v < n_; ++v) {
      const std::uint32_t others = all & ~bit_of(v);
      shares_[v] = (forward_[others] * of_family(v, others)).over(forward_[all]);
    }
    std::ranges::sort(order_, std::ranges::greater{}, [&](std::size_t v) { return shares_[v]; });
  }

  // Calls visit(variable, parents) for each variable.
  template <typename Visit>
  void draw(Random& random, Visit&& visit) const {
    SinkDraws<WindowSums>(*this, order_)
        .draw(false, random,
              [&](std::size_t variable, const Family& family) { visit(variable, family.parents); });
  }

  // A family of a variable, as SinkDraws needs it.
  struct Family {
    std::uint32_t parents = 0;
  };
  [[nodiscard]] const Number& forward(std::uint32_t set) const { return forward_[set]; }
  [[nodiscard]] const Number& of_family(std::size_t variable, std::uint32_t set) const {
    return inside_[place(variable, set)];
  }
  [[nodiscard]] Family draw_family(std::size_t variable, std::uint32_t within,
                                   Random& random) const {
    const Number all = of_family(variable, within);
    double left = random.uniform();
    Family chosen;
    for (std::uint32_t set = within;; set = (set - 1) & within) {
      const Number& weight = weights_[place(variable, set)];
      if (weight.value != 0) {
        chosen.parents = set;  // Rounding must not end without a family.
        left -= weight.over(all);
        if (left < 0) break;
      }
      if (set == 0) break;
    }
    return chosen;
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t variable, std::uint32_t set) const {
    return (variable << (n_ - 1)) + without(set, variable);
  }

  void sum_families() {
    inside_ = weights_;
    const std::size_t n_sets = bit_of(n_ - 1);
    for (std::size_t v = 0; v < n_; ++v) {
      Number* own = inside_.data() + v * n_sets;
      for (std::size_t step = 1; step < n_sets; step *= 2) {
        for (std::size_t begin = 0; begin < n_sets; begin += 2 * step) {
          for (std::size_t at = begin; at < begin + step; ++at) {
            if (own[at].value != 0) own[at + step] = own[at + step] + own[at];
          }
        }
      }
      for (std::size_t set = 0; set < n_sets; ++set) own[set] = own[set].normal();
    }
  }

  // Finds the sums of all sets: every term is pushed from a set to those with more variables.
  void sum_forward() {
    forward_.assign(bit_of(n_), Number());
    terms_.resize(bit_of(n_));
    sets_.resize(bit_of(n_));
    forward_[0] = Number::one();
    find_best_orders();
    for (std::uint32_t set = 0; set + 1 < bit_of(n_); ++set) {
      if (forward_[set].value == 0) continue;
      forward_[set] = forward_[set].normal();
      // Each product has a sign for every factor; one more makes that of a single sink positive.
      terms_[0] = -forward_[set];
      sets_[0] = set;
      std::size_t n_terms = 1;
      for (std::uint32_t rest = addable(set); rest != 0; rest &= rest - 1) {
        const auto v = static_cast<std::size_t>(std::countr_zero(rest));
        const Number factor = -of_family(v, set);
        if (factor.value == 0) continue;
        for (std::size_t at = 0; at < n_terms; ++at) {
          terms_[n_terms + at] = terms_[at] * factor;
          sets_[n_terms + at] = sets_[at] | bit_of(v);
        }
        n_terms *= 2;
      }
      for (std::size_t at = 1; at < n_terms; ++at) {
        forward_[sets_[at]] = forward_[sets_[at]] + terms_[at];
      }
    }
  }

  // Finds the best orders. If weights differ by far, most sets are the beginning of negligible
  // orders only. Exponents tell which: those of the best order of a set, and of the best one that
  // goes on after it.
  void find_best_orders() {
    if constexpr (!kHasExponents) return;
    before_.assign(bit_of(n_), Scaled::kZero);
    after_.assign(bit_of(n_), Scaled::kZero);
    const std::uint32_t all = bit_of(n_) - 1;
    before_[0] = after_[all] = 0;
    for (std::uint32_t set = 0; set < all; ++set) {
      if (before_[set] <= Scaled::kZero) continue;
      for (std::uint32_t rest = all & ~set; rest != 0; rest &= rest - 1) {
        const auto v = static_cast<std::size_t>(std::countr_zero(rest));
        Exponent& best = before_[set | bit_of(v)];
        best = std::max(best, before_[set] + exponent_of(v, set));
      }
    }
    least_ = before_[all] - kCut;
    for (std::uint32_t set = all; set-- > 0;) {
      for (std::uint32_t rest = all & ~set; rest != 0; rest &= rest - 1) {
        const auto v = static_cast<std::size_t>(std::countr_zero(rest));
        after_[set] = std::max(after_[set], exponent_of(v, set) + after_[set | bit_of(v)]);
      }
    }
  }
  [[nodiscard]] std::uint32_t addable(std::uint32_t set) const {
    const std::uint32_t others = (bit_of(n_) - 1) & ~set;
    if constexpr (!kHasExponents) return others;
    std::uint32_t found = 0;
    for (std::uint32_t rest = others; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(rest));
      if (before_[set] + exponent_of(v, set) + after_[set | bit_of(v)] >= least_)
        found |= bit_of(v);
    }
    return found;
  }
  [[nodiscard]] Exponent exponent_of(std::size_t variable, std::uint32_t set) const {
    if constexpr (kHasExponents) return of_family(variable, set).exponent;
    return 0;
  }

  static constexpr bool kHasExponents = std::is_same_v<Number, Scaled>;
  // Bits by which a term may be smaller than the sum; smaller terms are left out. There are less
  // than 2^50 orders, each of which is known up to some bits.
  static constexpr Exponent kCut = 110;

  std::size_t n_ = 0;
  // The weights, indexed by the variable and the set of all variables.
  std::vector<Number> weights_;
  std::vector<Number> inside_;
  std::vector<Number> forward_;
  std::vector<Number> terms_;
  std::vector<std::uint32_t> sets_;
  std::vector<std::size_t> order_;
  std::vector<double> shares_;
  std::vector<Exponent> before_;
  std::vector<Exponent> after_;
  Exponent least_ = 0;
};

}  // namespace credenet
