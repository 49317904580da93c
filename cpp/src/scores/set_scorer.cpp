#include "credenet/scores/set_scorer.hpp"

#include <cmath>

namespace credenet {
SetScorer::SetScorer(const ScoreSettings& settings, const CountSource& source)
    : settings_(settings),
      source_(source),
      total_(source.total()),
      unit_(rising_unit(settings.ess)) {
  std::map<std::int32_t, std::size_t> classes;
  for (const std::int32_t states : settings.n_states) {
    log_states_.push_back(std::log(static_cast<double>(states)));
    const auto [entry, is_new] = classes.try_emplace(states, classes.size());
    class_of_child_.push_back(entry->second);
    if (is_new) states_of_class_.push_back(states);
  }
  if (settings.abilities().has_likelihood) joint_.push_back(CountFunction::n_log_n(total_));
}

double SetScorer::states_product(std::span<const std::uint16_t> variables) const {
  double product = 1;
  for (const std::uint16_t variable : variables) product *= settings_.n_states[variable];
  return product;
}

void SetScorer::prepare(std::span<const std::uint16_t> variables) {
  SetBatch set;
  set.add(variables);
  prepare(set);
}

SetTerms SetScorer::evaluate(BatchCounter& counter,
                             std::span<const std::uint16_t> variables) const {
  SetBatch set;
  set.add(variables);
  SetTerms terms;
  evaluate(counter, set, {&terms, 1});
  return terms;
}

void SetScorer::evaluate(BatchCounter& counter, const SetBatch& sets,
                         std::span<SetTerms> terms) const {
  counter.count(sets, [&](std::size_t at, const auto& counts) {
    const CountFunction& joint = joint_function(states_product(sets[at]));
    terms[at].joint = 0;
    for (const auto count : counts) terms[at].joint += joint(count);
    terms[at].occupied = occupied_cells(counts);
    terms[at].further.assign(conditional_.size(), 0.0);
    for (std::size_t by_child = 0; by_child < conditional_.size(); ++by_child) {
      for (const auto count : counts) terms[at].further[by_child] += conditional_[by_child](count);
    }
  });
}

}  // namespace credenet
