#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/scores/count_function.hpp"

namespace credenet {

enum class ScoreKind : std::uint8_t {
  kLogLikelihood,
  kBic,
  kAic,
  kMdl,  // BIC and a penalty for naming the parents
  kBdeu,
  kK2,
  kJeffreys,
  kBds,
  kFnml,
  kQnml,
  kBde,
  kMit,
};

// Fills in the probabilities of all joint states of a set of variables, last variable fastest. May
// be called by several threads at a time. May throw PriorTooLarge.
using JointProbabilities =
    std::function<void(std::span<const std::uint16_t> variables, std::span<double> probabilities)>;

// The joint distribution of a set of variables under the prior network does not fit in memory.
class PriorTooLarge : public std::length_error {
 public:
  explicit PriorTooLarge(std::size_t n_variables)
      : std::length_error("the prior network's distribution of " + std::to_string(n_variables) +
                          " variables does not fit in memory") {}
};

struct ScoreSettings {
  ScoreKind kind = ScoreKind::kBdeu;
  double ess = 1.0;
  std::span<const std::int32_t> n_states;  // of each variable, as the score counts them
  double alpha = 0.999;                    // MIT: the confidence level
  JointProbabilities prior{};              // BDe: of the prior network,
  double max_bytes =
      std::numeric_limits<double>::infinity();  // and what one of its tables may take
};

// What the counts of one set of variables contribute to scores. The set is either a whole family
// (child and parents) or the parents of one.
struct SetTerms {
  double joint = 0;     // sum over cells of the score's function of a count
  double occupied = 0;  // occupied cells; one with less than a row counts as that fraction
  // Sums by the child's number of states, where that matters. MIT: the quantiles, if the set is the
  // parents. BDs: pairs of a count and the number of cells that have it. Empty for other scores.
  std::vector<double> further;
};

// Every score here is a difference of two sums over the cells of contingency tables: the table of
// child and parents, and the table of the parents alone. The function in the second sum may depend
// on the child's number of states. A set is counted once and serves all families it is part of.
class SetScorer {
 public:
  SetScorer(const ScoreSettings& settings, const CountSource& source);

  // BDe: whether evaluate fills a table of all cells of a set, and the bytes for each cell.
  [[nodiscard]] bool needs_all_cells() const { return settings_.kind == ScoreKind::kBde; }
  static constexpr double kCellBytes = 24;

  // Must be called, from one thread, with every set that evaluate will see.
  void prepare(std::span<const std::uint16_t> variables);
  // The terms of each set of a batch.
  void evaluate(BatchCounter& counter, const SetBatch& sets, std::span<SetTerms> terms) const;
  [[nodiscard]] SetTerms evaluate(BatchCounter& counter,
                                  std::span<const std::uint16_t> variables) const {
    SetBatch set;
    set.add(variables);
    SetTerms terms;
    evaluate(counter, set, {&terms, 1});
    return terms;
  }

  // The functions of a count whose sums over the cells are the terms: the joint, and one by class
  // of the child where there are any.
  [[nodiscard]] const CountFunction& joint_function(double n_cells) const {
    return joint_[settings_.kind == ScoreKind::kBdeu ? joint_of_.at(n_cells) : 0];
  }
  [[nodiscard]] std::span<const CountFunction> conditional_functions() const {
    return conditional_;
  }

  // The score of a child given parents, from the terms of both sets. parent_states is the product
  // of the parents' numbers of states.
  [[nodiscard]] double local(std::size_t child, std::size_t n_parents, double parent_states,
                             const SetTerms& family, const SetTerms& parents) const;
  // Whether joint is a sum of n log n. Then the joint of a family less that of its parents is the
  // log-likelihood, the sum of n_ijk log(n_ijk / n_ij).
  [[nodiscard]] bool has_likelihood() const { return likelihood_; }
  // The penalty for each free parameter; 0 for scores without such a penalty.
  [[nodiscard]] double parameter_cost() const { return parameter_cost_; }
  [[nodiscard]] double n_states(std::size_t variable) const { return settings_.n_states[variable]; }

  // The superset bound: without prior, no family with these parents and more scores higher. For
  // Dirichlet scores it uses the least cost of each cell (ParentStates), for the others the largest
  // log-likelihood that any parents can give. Infinite if there is no bound. Unproven bounds are
  // used only if asked for.
  [[nodiscard]] double superset_bound(std::size_t child, double parent_states,
                                      const SetTerms& family, const SetTerms& parents,
                                      double most_likelihood, bool unproven) const;
  [[nodiscard]] bool is_dirichlet() const;
  // The least cost of a cell of the family: its cost if no other child state occurs with it, -P.
  [[nodiscard]] double pure_cost(std::size_t child, double count) const {
    if (conditional_.empty()) return std::min(count, 1.0) * log_states_[child];
    return conditional_[class_of_child_[child]](count) - joint_[0](count);
  }
  // A parent state's share of the equivalent sample size, for this many parent states, of which
  // this many occur.
  [[nodiscard]] double concentration(std::size_t child, double parent_states,
                                     double occupied) const;
  // The unit of log_rising for such shares.
  [[nodiscard]] double unit() const { return unit_; }

 private:
  [[nodiscard]] double states_product(std::span<const std::uint16_t> variables) const;
  [[nodiscard]] std::vector<std::int32_t> descending_states(
      std::span<const std::uint16_t> variables) const;
  void find_classes();
  void find_quantiles(const std::vector<std::int32_t>& parent_states);
  void evaluate_counts(BatchCounter& counter, const SetBatch& sets,
                       std::span<SetTerms> terms) const;
  void evaluate_by_prior(BatchCounter& counter, const SetBatch& sets,
                         std::span<SetTerms> terms) const;

  ScoreSettings settings_;
  const CountSource& source_;
  double total_;
  double unit_;  // of the rising factorials of scores with an equivalent sample size
  double parameter_cost_ = 0;
  bool likelihood_ = false;
  std::vector<double> log_states_;
  std::vector<std::size_t> class_of_child_;  // by number of states
  std::vector<double> states_of_class_;
  RegretTable regrets_;                     // qNML: of the whole data
  std::vector<CountFunction> conditional_;  // by class of the child
  std::vector<CountFunction> joint_;        // one, or by product of states (BDeu)
  std::map<double, std::size_t> joint_of_;  // BDeu: product of states -> index into joint_
  std::vector<double> alone_;               // MIT: log-likelihood of each variable without parents
  std::map<double, double> quantile_of_;    // MIT: by degrees of freedom
  // MIT: sums of quantiles by the parents' numbers of states, descending, and class of the child.
  std::map<std::vector<std::int32_t>, std::vector<double>> quantiles_;
};

}  // namespace credenet
