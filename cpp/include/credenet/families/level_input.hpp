#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/families/child_prior.hpp"
#include "credenet/families/score_families.hpp"
#include "credenet/scores/set_scorer.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {

// The input that all ways of scoring levels share.
struct LevelInput {
  const CountSource& source;
  const ScoreSettings& settings;
  SetScorer& scorer;
  std::span<const ChildRules> rules;
  std::span<const ChildPrior> priors;
  std::span<const double> most_likelihood;  // Largest likelihood of each child under any parents.
  const FamilyOptions& options;
  Control& control;

  template <typename Set>
  [[nodiscard]] double states_product(const Set& set) const {
    double product = 1;
    set.for_each([&](std::size_t variable) { product *= settings.n_states[variable]; });
    return product;
  }
};

// The log-likelihood of each child given all that may be its parents; 0 where that is not known.
[[nodiscard]] inline std::vector<double> most_likelihoods(const CountSource& source,
                                                          const SetScorer& scorer,
                                                          std::span<const ChildRules> rules,
                                                          const FamilyOptions& options) {
  // All candidates together are counted only if that is cheap.
  constexpr std::size_t kMostTogether = 64;
  constexpr std::size_t kMostCells = std::size_t{1} << 24;
  std::vector<double> most(rules.size(), 0.0);
  if (!options.prune || !scorer.abilities().has_likelihood) return most;
  const auto counters = source.counters(options.n_threads);
  std::atomic<bool> stop{false};
  parallel_blocks(rules.size(), options.n_threads, stop, [&](std::size_t child, unsigned worker) {
    std::vector<std::uint16_t> all = rules[child].required;
    all.insert(all.end(), rules[child].candidates.begin(), rules[child].candidates.end());
    if (all.size() > kMostTogether || all.size() * source.n_rows() > kMostCells) return;
    std::ranges::sort(all);
    const double joint = scorer.evaluate(*counters[worker], all).joint;
    all.insert(std::ranges::upper_bound(all, child), static_cast<std::uint16_t>(child));
    most[child] = scorer.evaluate(*counters[worker], all).joint - joint;
  });
  return most;
}

// An upper bound on the score of every family of a child, without prior. The log of a probability
// is not positive, and other scores are a log-likelihood less a penalty. Infinite if the penalty
// may be negative: a cost of parameters if all rows together weigh less than one, and NML of
// fractional counts.
[[nodiscard]] inline double highest_score(const LevelInput& input, std::size_t child) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const ScoreAbilities& able = input.scorer.abilities();
  if (!able.has_upper_bound) return kInfinity;
  if (!able.has_likelihood) return 0;
  const bool may_rise =
      input.scorer.parameter_cost() < 0 || (able.is_normalised && input.source.is_weighted());
  return may_rise ? kInfinity : input.most_likelihood[child];
}

// Bounds the scores of supersets of a set that were not scored. The set is open or listed, with its
// best score and bound. The supersets have at least so many times its parent states.
template <typename Set>
[[nodiscard]] double unscored_bound(const LevelInput& input, std::size_t child, const Set& parents,
                                    double bound, double least_added) {
  const ChildPrior& prior = input.priors[child];
  const double highest_prior = prior.log_factor(parents) + prior.later_rise(parents);
  const double penalty = std::max(input.scorer.parameter_cost(), 0.0) *
                         (input.settings.n_states[child] - 1.0) * input.states_product(parents);
  return std::min(bound, highest_score(input, child) - penalty * least_added) + highest_prior;
}

// The fewest states that a candidate parent of a child has.
[[nodiscard]] inline double fewest_states(const LevelInput& input, std::size_t child) {
  double fewest = std::numeric_limits<double>::infinity();
  for (const std::uint16_t candidate : input.rules[child].candidates) {
    fewest = std::min(fewest, static_cast<double>(input.settings.n_states[candidate]));
  }
  return fewest;
}

}  // namespace credenet
