#include "penalised_likelihood.hpp"

namespace credenet {
namespace {

class AicScorer final : public PenalisedLikelihood<AicScorer> {
 public:
  AicScorer(const ScoreSettings& settings, const CountSource& source)
      : PenalisedLikelihood(settings, source) {
    parameter_cost_ = 1.0;
  }
};

}  // namespace

const Score scores::aic{.name = "aic", .abilities = kPenalisedLikelihood, .make = &AicScorer::make};

}  // namespace credenet
