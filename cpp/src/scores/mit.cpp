#include <algorithm>
#include <functional>

#include "credenet/scores/set_scorer.hpp"
#include "credenet/util/chi_square.hpp"

namespace credenet {
namespace {

// Mutual information with the parents, less what chance explains: each parent adds the quantile of
// the degrees of freedom that it adds to the parents before it, those with most states first.
class MitScorer final : public ScorerOf<MitScorer> {
 public:
  MitScorer(const ScoreSettings& settings, const CountSource& source) : ScorerOf(settings, source) {
    joint_.push_back(CountFunction::n_log_n(total_));
    SetBatch singles;
    for (std::size_t variable = 0; variable < settings.n_states.size(); ++variable) {
      singles.push_back(static_cast<std::uint16_t>(variable));
      singles.close();
    }
    alone_.assign(singles.size(), -joint_[0](total_));
    source.counter()->count(singles, [&](std::size_t at, const auto& counts) {
      for (const auto count : counts) alone_[at] += joint_[0](count);
    });
  }

  void prepare(const SetBatch& sets) override {
    for (std::size_t at = 0; at < sets.size(); ++at) find_quantiles(descending_states(sets[at]));
  }

  void evaluate(BatchCounter& counter, const SetBatch& sets,
                std::span<SetTerms> terms) const override {
    SetScorer::evaluate(counter, sets, terms);
    for (std::size_t at = 0; at < sets.size(); ++at) {
      terms[at].further = quantiles_.at(descending_states(sets[at]));
    }
  }

  [[nodiscard]] double score_of(const CountedFamily& family) const {
    return 2 * (family.family.joint - family.parents.joint - alone_[family.child]) -
           family.parents.further[class_of_child_[family.child]];
  }

 private:
  [[nodiscard]] std::vector<std::int32_t> descending_states(
      std::span<const std::uint16_t> variables) const {
    std::vector<std::int32_t> states;
    for (const std::uint16_t variable : variables) states.push_back(settings_.n_states[variable]);
    std::ranges::sort(states, std::greater{});
    return states;
  }

  void find_quantiles(const std::vector<std::int32_t>& parent_states) {
    const auto [entry, is_new] = quantiles_.try_emplace(parent_states);
    if (!is_new) return;
    for (const double states : states_of_class_) {
      double& sum = entry->second.emplace_back(0.0);
      double cells = states - 1;
      for (const double of_parent : parent_states) {
        const double degrees_of_freedom = cells * (of_parent - 1);
        cells *= of_parent;
        if (degrees_of_freedom <= 0) continue;
        const auto [known, unknown] = quantile_of_.try_emplace(degrees_of_freedom);
        if (unknown) known->second = chi_square_quantile(settings_.alpha, degrees_of_freedom);
        sum += known->second;
      }
    }
  }

  std::vector<double> alone_;             // Log-likelihood of each variable without parents.
  std::map<double, double> quantile_of_;  // Quantile by degrees of freedom.
  // Sums of quantiles by the parents' numbers of states, descending, and class of the child.
  std::map<std::vector<std::int32_t>, std::vector<double>> quantiles_;
};

}  // namespace

const Score scores::mit{
    .name = "mit",
    .abilities = {.sums_functions = false, .has_upper_bound = false},
    .make = &MitScorer::make,
};

}  // namespace credenet
