#include <algorithm>

#include "credenet/scores/set_scorer.hpp"

namespace credenet {
namespace {

// An equivalent sample size, spread over the parent states that occur in the data. How many occur
// is known when all cells are counted, so the terms keep the counts: each different one, and the
// number of cells that have it.
class BdsScorer final : public ScorerOf<BdsScorer> {
 public:
  using ScorerOf::ScorerOf;

  void evaluate(BatchCounter& counter, const SetBatch& sets,
                std::span<SetTerms> terms) const override {
    counter.count(sets, [&](std::size_t at, const auto& counts) {
      std::vector<double> sorted(counts.begin(), counts.end());
      std::ranges::sort(sorted);
      std::vector<double>& further = terms[at].further;
      for (const double count : sorted) {
        if (further.empty() || further[further.size() - 2] != count) {
          further.insert(further.end(), {count, 0.0});
        }
        further.back() += 1;
      }
      terms[at].occupied = occupied_cells(counts);
    });
  }

  [[nodiscard]] double score_of(const CountedFamily& family) const {
    const auto counts = family.family.further;
    const auto parent_counts = family.parents.further;
    double occupied = 0;
    for (std::size_t at = 0; at < parent_counts.size(); at += 2) occupied += parent_counts[at + 1];
    const double row = settings_.ess / std::max(occupied, 1.0);
    double score = 0;
    for (std::size_t at = 0; at < counts.size(); at += 2) {
      score += counts[at + 1] * log_rising(row / n_states(family.child), counts[at], unit_);
    }
    for (std::size_t at = 0; at < parent_counts.size(); at += 2) {
      score -= parent_counts[at + 1] * log_rising(row, parent_counts[at], unit_);
    }
    return score;
  }
  [[nodiscard]] double bound_of(const CountedFamily& family, double, bool) const {
    return bound_by_occupied(family.child, family.family.occupied);
  }
};

}  // namespace

const Score scores::bds{
    .name = "bds",
    .abilities = {.pseudo_counts = PseudoCounts::kSharedByOccupied,
                  .sums_functions = false,
                  .bounds_by_occupied = true},
    .make = &BdsScorer::make,
};

}  // namespace credenet
