#pragma once

#include "credenet/scores/set_scorer.hpp"

namespace credenet {

constexpr ScoreAbilities kPenalisedLikelihood{
    .has_likelihood = true, .sums_whole_functions = true, .has_dense_terms = true};

// The log-likelihood less a cost of each free parameter and, if there is one, a further penalty.
template <typename Derived>
class PenalisedLikelihood : public ScorerOf<Derived> {
 public:
  using ScorerOf<Derived>::ScorerOf;

  [[nodiscard]] double score_of(const CountedFamily& family) const {
    const double further = static_cast<const Derived&>(*this).further_penalty_of(family);
    return family.family.joint - family.parents.joint - penalty(family) - further;
  }
  // The bound of a family and its supersets. There is none without a penalty: if all rows together
  // weigh less than one.
  [[nodiscard]] double bound_of(const CountedFamily& family, double most_likelihood, bool) const {
    return this->parameter_cost_ <= 0 ? SetScorer::kInfinity : most_likelihood - penalty(family);
  }

 private:
  [[nodiscard]] double penalty(const CountedFamily& family) const {
    return this->parameter_cost_ * (this->n_states(family.child) - 1) * family.parent_states;
  }
};

}  // namespace credenet
