#include "credenet/scores/set_terms.hpp"

#include <math.h>  // lgamma_r

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace credenet {
namespace {

// A cell with less than a row as that fraction.
template <typename Count>
double occupied_cells(std::span<const Count> counts) {
  if constexpr (std::is_integral_v<Count>) {
    return static_cast<double>(counts.size());
  } else {
    double sum = 0;
    for (const Count count : counts) sum += std::min(count, 1.0);
    return sum;
  }
}

}  // namespace

SetScorer::SetScorer(const ScoreSettings& settings, const CountSource& source)
    : settings_(settings),
      total_(source.total()),
      class_of_child_(settings.n_states.size(), 0),
      regrets_(source.total()) {
  const ScoreKind kind = settings.kind;
  for (const std::int32_t states : settings.n_states) {
    log_states_.push_back(std::log(static_cast<double>(states)));
  }
  likelihood_ = kind == ScoreKind::kLogLikelihood || kind == ScoreKind::kBic ||
                kind == ScoreKind::kAic || kind == ScoreKind::kMdl || kind == ScoreKind::kFnml ||
                kind == ScoreKind::kQnml;
  if (kind == ScoreKind::kBic || kind == ScoreKind::kMdl) parameter_cost_ = std::log(total_) / 2;
  if (kind == ScoreKind::kAic) parameter_cost_ = 1.0;
  if (likelihood_) joint_.push_back(CountFunction::n_log_n(total_));
  if (kind == ScoreKind::kK2) joint_.push_back(CountFunction::log_rising(1.0, total_));
  if (kind == ScoreKind::kJeffreys) joint_.push_back(CountFunction::log_rising(0.5, total_));
  if (kind == ScoreKind::kK2 || kind == ScoreKind::kJeffreys || kind == ScoreKind::kFnml) {
    std::map<std::int32_t, std::size_t> classes;
    for (std::size_t child = 0; child < settings.n_states.size(); ++child) {
      const std::int32_t n_states = settings.n_states[child];
      const auto [entry, is_new] = classes.try_emplace(n_states, conditional_.size());
      class_of_child_[child] = entry->second;
      if (!is_new) continue;
      const double states = n_states;
      conditional_.push_back(
          kind == ScoreKind::kFnml
              ? CountFunction::regret(states, total_)
              : CountFunction::log_rising(kind == ScoreKind::kK2 ? states : states / 2, total_));
    }
  }
}

double SetScorer::states_product(std::span<const std::uint16_t> variables) const {
  double product = 1;
  for (const std::uint16_t variable : variables) product *= settings_.n_states[variable];
  return product;
}

bool SetScorer::is_dirichlet() const {
  return settings_.kind == ScoreKind::kBdeu || settings_.kind == ScoreKind::kK2 ||
         settings_.kind == ScoreKind::kJeffreys || settings_.kind == ScoreKind::kBds;
}

double SetScorer::superset_bound(std::size_t child, double parent_states, const SetTerms& family,
                                 const SetTerms& parents, double most_likelihood,
                                 bool unproven) const {
  const double states = settings_.n_states[child];
  switch (settings_.kind) {
    case ScoreKind::kBdeu:
    case ScoreKind::kBds:
      return -family.occupied * log_states_[child];
    case ScoreKind::kK2:
    case ScoreKind::kJeffreys:
      return family.joint - family.further[class_of_child_[child]];
    case ScoreKind::kBic:
    case ScoreKind::kAic:
    case ScoreKind::kMdl:  // parameters are no cost if all rows together weigh less than one
      if (parameter_cost_ <= 0) break;
      return most_likelihood - parameter_cost_ * (states - 1) * parent_states;
    case ScoreKind::kFnml:  // if ln C is subadditive in n, splitting a parent state costs more
      if (unproven) return most_likelihood - parents.further[class_of_child_[child]];
      break;
    case ScoreKind::kQnml:  // if the penalty grows with the number of parent states
      if (unproven) {
        return most_likelihood - regrets_(states * parent_states) + regrets_(parent_states);
      }
      break;
    case ScoreKind::kLogLikelihood:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

double SetScorer::concentration(std::size_t child, double parent_states, double occupied) const {
  switch (settings_.kind) {
    case ScoreKind::kBdeu:
      return settings_.ess / parent_states;
    case ScoreKind::kBds:
      return settings_.ess / occupied;
    case ScoreKind::kK2:
      return settings_.n_states[child];
    default:
      return settings_.n_states[child] / 2.0;  // Jeffreys
  }
}

void SetScorer::prepare(double n_cells) {
  if (settings_.kind == ScoreKind::kQnml) regrets_.extend(n_cells);
  if (settings_.kind != ScoreKind::kBdeu) return;
  if (joint_of_.try_emplace(n_cells, joint_.size()).second) {
    joint_.push_back(CountFunction::log_rising(settings_.ess / n_cells, total_));
  }
}

void SetScorer::evaluate(BatchCounter& counter, const SetBatch& sets,
                         std::span<SetTerms> terms) const {
  if (settings_.kind == ScoreKind::kBds) {
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
    return;
  }
  counter.count(sets, [&](std::size_t at, const auto& counts) {
    const CountFunction& joint = settings_.kind == ScoreKind::kBdeu
                                     ? joint_[joint_of_.at(states_product(sets[at]))]
                                     : joint_[0];
    terms[at].joint = 0;
    for (const auto count : counts) terms[at].joint += joint(count);
    terms[at].occupied = occupied_cells(counts);
    terms[at].further.assign(conditional_.size(), 0.0);
    for (std::size_t by_child = 0; by_child < conditional_.size(); ++by_child) {
      for (const auto count : counts) terms[at].further[by_child] += conditional_[by_child](count);
    }
  });
}

double SetScorer::local(std::size_t child, std::size_t n_parents, double parent_states,
                        const SetTerms& family, const SetTerms& parents) const {
  const double states = settings_.n_states[child];
  switch (settings_.kind) {
    case ScoreKind::kLogLikelihood:
    case ScoreKind::kBdeu:
      return family.joint - parents.joint;
    case ScoreKind::kBic:
    case ScoreKind::kAic:
      return family.joint - parents.joint - parameter_cost_ * (states - 1) * parent_states;
    case ScoreKind::kMdl:
      return family.joint - parents.joint - parameter_cost_ * (states - 1) * parent_states -
             static_cast<double>(n_parents) *
                 std::log(static_cast<double>(settings_.n_states.size()));
    case ScoreKind::kK2:
    case ScoreKind::kJeffreys:
      return family.joint - parents.further[class_of_child_[child]];
    case ScoreKind::kFnml:
      return family.joint - parents.joint - parents.further[class_of_child_[child]];
    case ScoreKind::kQnml:
      return family.joint - parents.joint - regrets_(states * parent_states) +
             regrets_(parent_states);
    case ScoreKind::kBds: {
      const auto rising = [](double base, double count) {
        int sign = 0;
        return ::lgamma_r(base + count, &sign) - ::lgamma_r(base, &sign);
      };
      double occupied = 0;
      for (std::size_t at = 0; at < parents.further.size(); at += 2) {
        occupied += parents.further[at + 1];
      }
      const double row = settings_.ess / std::max(occupied, 1.0);
      double score = 0;
      for (std::size_t at = 0; at < family.further.size(); at += 2) {
        score += family.further[at + 1] * rising(row / states, family.further[at]);
      }
      for (std::size_t at = 0; at < parents.further.size(); at += 2) {
        score -= parents.further[at + 1] * rising(row, parents.further[at]);
      }
      return score;
    }
  }
  return 0;
}

}  // namespace credenet
