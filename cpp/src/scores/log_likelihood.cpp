#include "credenet/scores/set_scorer.hpp"

namespace credenet {
namespace {

// The largest likelihood of the data.
class LogLikelihoodScorer final : public ScorerOf<LogLikelihoodScorer> {
 public:
  using ScorerOf::ScorerOf;

  [[nodiscard]] static double score_of(const CountedFamily& family) {
    return family.family.joint - family.parents.joint;
  }
};

}  // namespace

const Score scores::log_likelihood{
    .name = "log_likelihood",
    .abilities = {.has_likelihood = true, .has_penalty = false, .sums_whole_functions = true},
    .make = &LogLikelihoodScorer::make,
};

}  // namespace credenet
