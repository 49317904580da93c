#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "credenet/families/score_families.hpp"

namespace credenet {

// The log prior factor of a variable's parent sets, as bits, and how much further parents can still
// raise it. Superset bounds are without prior, so they must allow for this rise.
class ChildPrior {
 public:
  explicit ChildPrior(const ChildRules& rules) : rules_(&rules) {}

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
    const double rise = rules_->log_factors.later_rise(size);
    if (rules_->log_kappa <= 0) {
      return rise - rules_->log_kappa * static_cast<double>(missing_experts(parents));
    }
    return rise + rules_->log_kappa * static_cast<double>(rules_->max_parents - size);
  }

  // The most that one more parent can add to a set of this size or larger.
  [[nodiscard]] double step_rise(std::size_t size) const {
    return std::abs(rules_->log_kappa) + rules_->log_factors.step_rise(size);
  }

 private:
  template <typename Set>
  [[nodiscard]] std::size_t missing_experts(const Set& parents) const {
    std::size_t count = 0;
    for (const std::uint16_t expert : rules_->expert) count += parents.contains(expert) ? 0U : 1U;
    return count;
  }

  const ChildRules* rules_;
};

}  // namespace credenet
