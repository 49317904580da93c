#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "credenet/families/score_families.hpp"

namespace credenet {

// The log prior factor of a variable's parent sets, as bits, and how much further parents can still
// raise it. Superset bounds are without prior, so they must allow for this rise.
class ChildPrior {
 public:
  explicit ChildPrior(const ChildRules& rules)
      : rules_(&rules),
        later_rise_(rules.log_factors.size(), 0.0),
        step_rise_(rules.log_factors.size(), 0.0) {
    const std::vector<double>& factors = rules.log_factors;
    double highest = -std::numeric_limits<double>::infinity();  // of the larger sizes
    double steepest = std::abs(rules.log_kappa);
    for (std::size_t size = factors.size(); size-- > 0;) {
      // Infinite if the smaller set is impossible; not a number, so no rise, if both are.
      if (highest - factors[size] > 0) later_rise_[size] = highest - factors[size];
      step_rise_[size] = steepest;
      highest = std::max(highest, factors[size]);
      if (size == 0) break;
      const double step = factors[size] - factors[size - 1] + std::abs(rules.log_kappa);
      if (step > steepest) steepest = step;
    }
  }

  template <typename Set>
  [[nodiscard]] double log_factor(const Set& parents) const {
    const std::size_t size = parents.size();
    const std::size_t differences = missing_experts(parents) * 2 + size - rules_->expert.size();
    return rules_->log_factors[size] + rules_->log_kappa * static_cast<double>(differences);
  }

  // The most that any number of further parents can add; never negative.
  template <typename Set>
  [[nodiscard]] double later_rise(const Set& parents) const {
    const std::size_t size = parents.size();
    if (rules_->log_kappa <= 0) {
      return later_rise_[size] - rules_->log_kappa * static_cast<double>(missing_experts(parents));
    }
    return later_rise_[size] + rules_->log_kappa * static_cast<double>(rules_->max_parents - size);
  }

  // The most that one more parent can add to a set of this size or larger.
  [[nodiscard]] double step_rise(std::size_t size) const { return step_rise_[size]; }

 private:
  template <typename Set>
  [[nodiscard]] std::size_t missing_experts(const Set& parents) const {
    std::size_t count = 0;
    for (const std::uint16_t expert : rules_->expert) count += parents.contains(expert) ? 0U : 1U;
    return count;
  }

  const ChildRules* rules_;
  std::vector<double> later_rise_;
  std::vector<double> step_rise_;
};

}  // namespace credenet
