#pragma once

#include "credenet/scores/set_scorer.hpp"

namespace credenet {

constexpr ScoreAbilities fixed_pseudo_counts(double pseudo_count) noexcept {
  return {.pseudo_counts = PseudoCounts::kFixed,
          .pseudo_count = pseudo_count,
          .sums_whole_functions = true};
}

// A Dirichlet score with the same pseudo-count in every cell of every family. That of a parent
// state then depends on the child's number of states.
template <typename Derived>
class FixedPseudoCounts : public ScorerOf<Derived> {
 public:
  FixedPseudoCounts(const ScoreSettings& settings, const CountSource& source)
      : ScorerOf<Derived>(settings, source) {
    const double pseudo_count = this->abilities().pseudo_count;
    this->joint_.push_back(CountFunction::log_rising(pseudo_count, this->total_));
    for (const double states : this->states_of_class_) {
      this->conditional_.push_back(CountFunction::log_rising(states * pseudo_count, this->total_));
    }
  }

  [[nodiscard]] double score_of(const CountedFamily& family) const {
    return family.family.joint - family.parents.further[this->class_of_child_[family.child]];
  }
  [[nodiscard]] double bound_of(const CountedFamily& family, double, bool) const {
    return family.family.joint - family.family.further[this->class_of_child_[family.child]];
  }
};

}  // namespace credenet
