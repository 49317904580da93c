#include "credenet/scores/set_scorer.hpp"

namespace credenet {
namespace {

// Pseudo-counts that are expected from rows of a prior network. Every cell has its own. A cell that
// occurs but has none is impossible.
class BdeScorer final : public ScorerOf<BdeScorer> {
 public:
  using ScorerOf::ScorerOf;

  void prepare(const SetBatch& sets) override {
    for (std::size_t at = 0; at < sets.size(); ++at) {
      if (states_product(sets[at]) * kCellBytes > settings_.max_bytes) {
        throw PriorTooLarge(sets[at].size());
      }
    }
  }

  void evaluate(BatchCounter& counter, const SetBatch& sets,
                std::span<SetTerms> terms) const override {
    std::vector<double> probabilities;
    std::vector<std::size_t> states;  // Observed states of the current cell.
    counter.count_all(sets, [&](std::size_t at, const auto& counts) {
      const auto variables = sets[at];
      probabilities.assign(static_cast<std::size_t>(states_product(variables)), 1.0);
      if (!variables.empty()) settings_.prior(variables, probabilities);
      states.assign(variables.size(), 0);
      double sum = 0;
      for (const auto count : counts) {
        if (count > 0) {
          std::size_t cell = 0;
          for (std::size_t place = 0; place < variables.size(); ++place) {
            cell = cell * static_cast<std::size_t>(settings_.n_states[variables[place]]) +
                   source_.observed(variables[place])[states[place]];
          }
          const double expected = settings_.ess * probabilities[cell];
          sum +=
              expected > 0 ? log_rising(expected, static_cast<double>(count), unit_) : -kInfinity;
        }
        for (std::size_t place = variables.size(); place-- > 0;) {
          if (++states[place] < source_.n_observed(variables[place])) break;
          states[place] = 0;
        }
      }
      terms[at].joint = sum;
    });
  }

  [[nodiscard]] static double score_of(const CountedFamily& family) {
    return family.family.joint > -kInfinity ? family.family.joint - family.parents.joint
                                            : -kInfinity;
  }
};

}  // namespace

const Score scores::bde{
    .name = "bde",
    .abilities = {.sums_functions = false, .needs_all_cells = true},
    .make = &BdeScorer::make,
};

}  // namespace credenet
