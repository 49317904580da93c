#include <cmath>

#include "penalised_likelihood.hpp"

namespace credenet {
namespace {

class BicScorer final : public PenalisedLikelihood<BicScorer> {
 public:
  BicScorer(const ScoreSettings& settings, const CountSource& source)
      : PenalisedLikelihood(settings, source) {
    parameter_cost_ = std::log(total_) / 2;
  }
};

}  // namespace

const Score scores::bic{.name = "bic", .abilities = kPenalisedLikelihood, .make = &BicScorer::make};

}  // namespace credenet
