#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/counts/set_batch.hpp"
#include "credenet/scores/count_function.hpp"
#include "credenet/scores/score.hpp"
#include "credenet/scores/set_terms.hpp"

namespace credenet {

// A score of some data. Every score here is a difference of two sums over the cells of contingency
// tables: the table of child and parents, and the table of the parents alone. The function in the
// second sum may depend on the child's number of states. A set is counted once and serves all
// families it is part of. Every virtual function takes a batch; ScorerOf goes through it.
class SetScorer {
 public:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kCellBytes = 24;  // Bytes per cell of a table of all cells.

  SetScorer(const ScoreSettings& settings, const CountSource& source);
  SetScorer(const SetScorer&) = delete;
  SetScorer& operator=(const SetScorer&) = delete;
  virtual ~SetScorer() = default;

  [[nodiscard]] const ScoreAbilities& abilities() const { return settings_.score->abilities; }
  [[nodiscard]] const ScoreSettings& settings() const { return settings_; }
  [[nodiscard]] double n_states(std::size_t variable) const { return settings_.n_states[variable]; }
  // The penalty for each free parameter; 0 for scores without such a penalty.
  [[nodiscard]] double parameter_cost() const { return parameter_cost_; }
  [[nodiscard]] double total() const { return total_; }

  // Must be called, from one thread, with every set that evaluate will see.
  virtual void prepare(const SetBatch&) {}
  void prepare(std::span<const std::uint16_t> variables);
  // The terms of each set of a batch.
  virtual void evaluate(BatchCounter& counter, const SetBatch& sets,
                        std::span<SetTerms> terms) const;
  [[nodiscard]] SetTerms evaluate(BatchCounter& counter,
                                  std::span<const std::uint16_t> variables) const;

  // The scores of families, from the terms of both sets of each.
  virtual void score(std::span<const CountedFamily> families, std::span<double> scores) const = 0;
  [[nodiscard]] double score(const CountedFamily& family) const {
    double value = 0;
    score({&family, 1}, {&value, 1});
    return value;
  }
  // The superset bounds: without prior, no family with these parents and more scores higher. For
  // Dirichlet scores they use the least cost of each cell (ParentStates), for the others the
  // largest log-likelihood that any parents can give each family's child. Infinite if there is no
  // bound. Unproven bounds are used only if asked for.
  virtual void bound(std::span<const CountedFamily> families,
                     std::span<const double> most_likelihood, bool unproven,
                     std::span<double> bounds) const = 0;
  [[nodiscard]] double bound(const CountedFamily& family, double most_likelihood,
                             bool unproven) const {
    double value = 0;
    bound({&family, 1}, {&most_likelihood, 1}, unproven, {&value, 1});
    return value;
  }

  // A bound on the score of a family and its supersets from its occupied cells, if a score has one.
  [[nodiscard]] double bound_by_occupied(std::size_t child, double occupied) const {
    return -occupied * log_states_[child];
  }

  // The part of a penalty that depends on neither the counts nor the number of parameters, if a
  // score has one.
  virtual void further_penalty(std::span<const CountedFamily>, std::span<double>) const {}

  // The functions of a count whose sums over the cells are the terms: the joint, and one by class
  // of the child where there are any.
  [[nodiscard]] const CountFunction& joint_function(double n_cells) const {
    return joint_[joint_of_.empty() ? 0 : joint_of_.at(n_cells)];
  }
  [[nodiscard]] std::span<const CountFunction> conditional_functions() const {
    return conditional_;
  }

  // The least cost of a cell of the family, for Dirichlet scores: its cost if no other child state
  // occurs with it, -P.
  [[nodiscard]] double pure_cost(std::size_t child, double count) const {
    if (conditional_.empty()) return std::min(count, 1.0) * log_states_[child];
    return conditional_[class_of_child_[child]](count) - joint_[0](count);
  }
  // A parent state's share of the prior weight, for this many parent states, of which this many
  // occur.
  [[nodiscard]] double concentration(std::size_t child, double parent_states,
                                     double occupied) const {
    const ScoreAbilities& able = abilities();
    if (able.pseudo_counts == PseudoCounts::kFixed) return n_states(child) * able.pseudo_count;
    const bool by_states = able.pseudo_counts == PseudoCounts::kSharedByStates;
    return settings_.ess / (by_states ? parent_states : occupied);
  }
  // The unit of log_rising for concentrations.
  [[nodiscard]] double unit() const { return unit_; }

 protected:
  [[nodiscard]] double states_product(std::span<const std::uint16_t> variables) const;

  ScoreSettings settings_;
  const CountSource& source_;
  double total_;
  double unit_;  // Unit of the rising factorials, for scores with an equivalent sample size.
  double parameter_cost_ = 0;
  std::vector<double> log_states_;
  std::vector<std::size_t> class_of_child_;  // Class of each child, by its number of states.
  std::vector<double> states_of_class_;
  std::vector<CountFunction> joint_;  // One function, or one for each number of cells.
  // Index into joint_ of each number of cells; empty if there is one function.
  std::map<double, std::size_t> joint_of_;
  std::vector<CountFunction> conditional_;  // One function for each class of the child.
};

// The number of cells that occur; one with less than a row counts as that fraction.
template <typename Count>
[[nodiscard]] double occupied_cells(std::span<const Count> counts) {
  if constexpr (std::is_integral_v<Count>) {
    return static_cast<double>(counts.size());
  } else {
    double sum = 0;
    for (const Count count : counts) sum += std::min(count, 1.0);
    return sum;
  }
}

// Goes through batches for a score that says score_of(family) and, if it has a bound,
// bound_of(family, most_likelihood, unproven); likewise further_penalty_of. So one virtual call
// serves a batch.
template <typename Derived>
class ScorerOf : public SetScorer {
 public:
  using SetScorer::bound;
  using SetScorer::score;
  using SetScorer::SetScorer;

  void score(std::span<const CountedFamily> families, std::span<double> scores) const final {
    const auto& self = static_cast<const Derived&>(*this);
    for (std::size_t at = 0; at < families.size(); ++at) scores[at] = self.score_of(families[at]);
  }
  void bound(std::span<const CountedFamily> families, std::span<const double> most_likelihood,
             bool unproven, std::span<double> bounds) const final {
    const auto& self = static_cast<const Derived&>(*this);
    for (std::size_t at = 0; at < families.size(); ++at) {
      bounds[at] = self.bound_of(families[at], most_likelihood[at], unproven);
    }
  }
  void further_penalty(std::span<const CountedFamily> families,
                       std::span<double> penalties) const final {
    const auto& self = static_cast<const Derived&>(*this);
    for (std::size_t at = 0; at < families.size(); ++at) {
      penalties[at] = self.further_penalty_of(families[at]);
    }
  }
  [[nodiscard]] static double bound_of(const CountedFamily&, double, bool) { return kInfinity; }
  [[nodiscard]] static double further_penalty_of(const CountedFamily&) { return 0; }

  [[nodiscard]] static std::unique_ptr<SetScorer> make(const ScoreSettings& settings,
                                                       const CountSource& source) {
    return std::make_unique<Derived>(settings, source);
  }
};

[[nodiscard]] inline std::unique_ptr<SetScorer> make_scorer(const ScoreSettings& settings,
                                                            const CountSource& source) {
  return settings.score->make(settings, source);
}

}  // namespace credenet
