#include "credenet/scores/set_scorer.hpp"

namespace credenet {
namespace {

// Quotient normalised maximum likelihood: the regret of the family's states less that of its
// parents' states, over all rows.
class QnmlScorer final : public ScorerOf<QnmlScorer> {
 public:
  QnmlScorer(const ScoreSettings& settings, const CountSource& source)
      : ScorerOf(settings, source), regrets_(source.total()) {}

  void prepare(const SetBatch& sets) override {
    for (std::size_t at = 0; at < sets.size(); ++at) regrets_.extend(states_product(sets[at]));
  }
  [[nodiscard]] double score_of(const CountedFamily& family) const {
    return family.family.joint - family.parents.joint - regret_of_family(family) +
           regrets_(family.parent_states);
  }
  [[nodiscard]] double further_penalty_of(const CountedFamily& family) const {
    return regret_of_family(family) - regrets_(family.parent_states);
  }
  // A bound that holds if the penalty grows with the number of parent states.
  [[nodiscard]] double bound_of(const CountedFamily& family, double most_likelihood,
                                bool unproven) const {
    if (!unproven) return kInfinity;
    return most_likelihood - regret_of_family(family) + regrets_(family.parent_states);
  }

 private:
  [[nodiscard]] double regret_of_family(const CountedFamily& family) const {
    return regrets_(n_states(family.child) * family.parent_states);
  }

  RegretTable regrets_;  // Regrets for the whole data.
};

}  // namespace

const Score scores::qnml{
    .name = "qnml",
    .abilities = {.has_likelihood = true,
                  .sums_whole_functions = true,
                  .has_further_penalty = true,
                  .is_normalised = true},
    .make = &QnmlScorer::make,
};

}  // namespace credenet
