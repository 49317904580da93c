#include "credenet/scores/set_scorer.hpp"

namespace credenet {
namespace {

// Factorised normalised maximum likelihood: a regret for each parent state.
class FnmlScorer final : public ScorerOf<FnmlScorer> {
 public:
  FnmlScorer(const ScoreSettings& settings, const CountSource& source)
      : ScorerOf(settings, source) {
    for (const double states : states_of_class_) {
      conditional_.push_back(CountFunction::regret(states, total_));
    }
  }

  [[nodiscard]] double score_of(const CountedFamily& family) const {
    return family.family.joint - family.parents.joint - regret(family);
  }
  // A bound that holds if ln C is subadditive in n: then splitting a parent state costs more.
  [[nodiscard]] double bound_of(const CountedFamily& family, double most_likelihood,
                                bool unproven) const {
    return unproven ? most_likelihood - regret(family) : kInfinity;
  }

 private:
  [[nodiscard]] double regret(const CountedFamily& family) const {
    return family.parents.further[class_of_child_[family.child]];
  }
};

}  // namespace

const Score scores::fnml{
    .name = "fnml",
    .abilities = {.has_likelihood = true, .is_normalised = true},
    .make = &FnmlScorer::make,
};

}  // namespace credenet
