#include "credenet/scores/set_terms.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include "credenet/util/chi_square.hpp"
#include "credenet/util/log_gamma.hpp"

namespace credenet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A cell with less than a row counts as that fraction.
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
      source_(source),
      total_(source.total()),
      unit_(rising_unit(settings.ess)),
      regrets_(source.total()) {
  const ScoreKind kind = settings.kind;
  for (const std::int32_t states : settings.n_states) {
    log_states_.push_back(std::log(static_cast<double>(states)));
  }
  find_classes();
  likelihood_ = kind == ScoreKind::kLogLikelihood || kind == ScoreKind::kBic ||
                kind == ScoreKind::kAic || kind == ScoreKind::kMdl || kind == ScoreKind::kFnml ||
                kind == ScoreKind::kQnml;
  if (kind == ScoreKind::kBic || kind == ScoreKind::kMdl) parameter_cost_ = std::log(total_) / 2;
  if (kind == ScoreKind::kAic) parameter_cost_ = 1.0;
  if (likelihood_ || kind == ScoreKind::kMit) joint_.push_back(CountFunction::n_log_n(total_));
  if (kind == ScoreKind::kK2) joint_.push_back(CountFunction::log_rising(1.0, total_));
  if (kind == ScoreKind::kJeffreys) joint_.push_back(CountFunction::log_rising(0.5, total_));
  for (const double states : states_of_class_) {
    if (kind == ScoreKind::kFnml) conditional_.push_back(CountFunction::regret(states, total_));
    if (kind == ScoreKind::kK2) conditional_.push_back(CountFunction::log_rising(states, total_));
    if (kind == ScoreKind::kJeffreys) {
      conditional_.push_back(CountFunction::log_rising(states / 2, total_));
    }
  }
  if (kind == ScoreKind::kMit) {
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
}

void SetScorer::find_classes() {
  std::map<std::int32_t, std::size_t> classes;
  for (const std::int32_t n_states : settings_.n_states) {
    const auto [entry, is_new] = classes.try_emplace(n_states, classes.size());
    class_of_child_.push_back(entry->second);
    if (is_new) states_of_class_.push_back(n_states);
  }
}

std::vector<std::int32_t> SetScorer::descending_states(
    std::span<const std::uint16_t> variables) const {
  std::vector<std::int32_t> states;
  for (const std::uint16_t variable : variables) states.push_back(settings_.n_states[variable]);
  std::ranges::sort(states, std::greater{});
  return states;
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
    case ScoreKind::kMdl:  // no penalty if all rows together weigh less than one
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
    case ScoreKind::kBde:
    case ScoreKind::kMit:
      break;
  }
  return kInfinity;
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

void SetScorer::prepare(std::span<const std::uint16_t> variables) {
  switch (settings_.kind) {
    case ScoreKind::kQnml:
      return regrets_.extend(states_product(variables));
    case ScoreKind::kMit:
      return find_quantiles(descending_states(variables));
    case ScoreKind::kBde:
      if (states_product(variables) * kCellBytes <= settings_.max_bytes) return;
      throw PriorTooLarge(variables.size());
    case ScoreKind::kBdeu: {
      const double n_cells = states_product(variables);
      if (joint_of_.try_emplace(n_cells, joint_.size()).second) {
        joint_.push_back(CountFunction::log_rising(settings_.ess / n_cells, total_, unit_));
      }
      return;
    }
    default:
      return;
  }
}

// Each parent adds the quantile of the degrees of freedom that it adds to the parents before it.
void SetScorer::find_quantiles(const std::vector<std::int32_t>& parent_states) {
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

void SetScorer::evaluate(BatchCounter& counter, const SetBatch& sets,
                         std::span<SetTerms> terms) const {
  switch (settings_.kind) {
    case ScoreKind::kBds:
      return counter.count(sets, [&](std::size_t at, const auto& counts) {
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
    case ScoreKind::kBde:
      return evaluate_by_prior(counter, sets, terms);
    default:
      evaluate_counts(counter, sets, terms);
  }
  if (settings_.kind != ScoreKind::kMit) return;
  for (std::size_t at = 0; at < sets.size(); ++at) {
    terms[at].further = quantiles_.at(descending_states(sets[at]));
  }
}

void SetScorer::evaluate_counts(BatchCounter& counter, const SetBatch& sets,
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

// Every cell has its own pseudo-count. A cell that occurs but has none is impossible.
void SetScorer::evaluate_by_prior(BatchCounter& counter, const SetBatch& sets,
                                  std::span<SetTerms> terms) const {
  std::vector<double> probabilities;
  std::vector<std::size_t> states;  // of the current cell, among those observed
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
        sum += expected > 0 ? log_rising(expected, static_cast<double>(count), unit_) : -kInfinity;
      }
      for (std::size_t place = variables.size(); place-- > 0;) {
        if (++states[place] < source_.n_observed(variables[place])) break;
        states[place] = 0;
      }
    }
    terms[at].joint = sum;
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
    case ScoreKind::kBde:
      return family.joint > -kInfinity ? family.joint - parents.joint : -kInfinity;
    case ScoreKind::kMit:
      return 2 * (family.joint - parents.joint - alone_[child]) -
             parents.further[class_of_child_[child]];
    case ScoreKind::kBds: {
      double occupied = 0;
      for (std::size_t at = 0; at < parents.further.size(); at += 2) {
        occupied += parents.further[at + 1];
      }
      const double row = settings_.ess / std::max(occupied, 1.0);
      double score = 0;
      for (std::size_t at = 0; at < family.further.size(); at += 2) {
        score += family.further[at + 1] * log_rising(row / states, family.further[at], unit_);
      }
      for (std::size_t at = 0; at < parents.further.size(); at += 2) {
        score -= parents.further[at + 1] * log_rising(row, parents.further[at], unit_);
      }
      return score;
    }
  }
  return 0;
}

}  // namespace credenet
