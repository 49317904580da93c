#include <cmath>

#include "penalised_likelihood.hpp"

namespace credenet {
namespace {

// BIC less the cost of naming each parent among all variables.
class MdlScorer final : public PenalisedLikelihood<MdlScorer> {
 public:
  MdlScorer(const ScoreSettings& settings, const CountSource& source)
      : PenalisedLikelihood(settings, source) {
    parameter_cost_ = std::log(total_) / 2;
  }

  [[nodiscard]] double further_penalty_of(const CountedFamily& family) const {
    return static_cast<double>(family.n_parents) * name_cost_;
  }

 private:
  double name_cost_ = std::log(static_cast<double>(settings_.n_states.size()));
};

constexpr ScoreAbilities abilities() noexcept {
  ScoreAbilities able = kPenalisedLikelihood;
  able.has_further_penalty = true;
  return able;
}

}  // namespace

const Score scores::mdl{.name = "mdl", .abilities = abilities(), .make = &MdlScorer::make};

}  // namespace credenet
