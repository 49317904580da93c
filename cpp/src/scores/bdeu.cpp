#include "credenet/scores/set_scorer.hpp"

namespace credenet {
namespace {

// An equivalent sample size, spread evenly over the cells of each family.
class BdeuScorer final : public ScorerOf<BdeuScorer> {
 public:
  using ScorerOf::ScorerOf;

  // Sets with equally many cells share a function of a count.
  void prepare(const SetBatch& sets) override {
    for (std::size_t at = 0; at < sets.size(); ++at) {
      const double n_cells = states_product(sets[at]);
      if (!joint_of_.try_emplace(n_cells, joint_.size()).second) continue;
      joint_.push_back(CountFunction::log_rising(settings_.ess / n_cells, total_, unit_));
    }
  }
  [[nodiscard]] static double score_of(const CountedFamily& family) {
    return family.family.joint - family.parents.joint;
  }
  [[nodiscard]] double bound_of(const CountedFamily& family, double, bool) const {
    return bound_by_occupied(family.child, family.family.occupied);
  }
};

}  // namespace

const Score scores::bdeu{
    .name = "bdeu",
    .abilities = {.pseudo_counts = PseudoCounts::kSharedByStates,
                  .sums_whole_functions = true,
                  .has_dense_terms = true,
                  .bounds_by_occupied = true},
    .make = &BdeuScorer::make,
};

}  // namespace credenet
