// A score: its name, what it can do, and how it is made for data. Each score has a file of its own
// under cpp/src/scores; `all_scores` lists them. Code outside asks for abilities and never for a
// certain score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "credenet/counts/count_source.hpp"

namespace credenet {

class SetScorer;
struct ScoreSettings;

// How the pseudo-counts of a Dirichlet prior are spread over the cells of a family.
enum class PseudoCounts : std::uint8_t {
  kNone,              // The score has no such prior, or one that differs by cell.
  kSharedByStates,    // The joint states of the parents share the equivalent sample size.
  kSharedByOccupied,  // Joint states that occur in the data share the equivalent sample size.
  kFixed,             // Every cell has the same pseudo-count in every family.
};

// The abilities of a score. Every rule that uses an ability is safe for each score that declares
// it.
struct ScoreAbilities {
  // The joint term is a sum of n log n. So the joint term of a family less that of its parents is
  // the log-likelihood, the sum of n_ijk log(n_ijk / n_ij).
  bool has_likelihood = false;
  // More parents cost something. Without a penalty, no estimate of a family adds one.
  bool has_penalty = true;
  PseudoCounts pseudo_counts = PseudoCounts::kNone;
  double pseudo_count = 0;  // Pseudo-count of a cell, if it is fixed.
  // The terms are sums over the cells of functions of one count, and nothing else.
  bool sums_functions = true;
  // The functions of one count also exist as whole numbers (WholeFunctions), for climbing over
  // graphs.
  bool sums_whole_functions = false;
  // The terms of a set are one or two numbers, and a bound on supersets uses no others
  // (DenseLevels).
  bool has_dense_terms = false;
  // Every occupied cell of a family costs at least the log of the child's number of states, in the
  // family and in its supersets (SetScorer::bound_by_occupied).
  bool bounds_by_occupied = false;
  // The terms of a set need a table of all its cells, of kCellBytes each.
  bool needs_all_cells = false;
  // A part of the penalty depends on neither the counts nor the number of parameters.
  bool has_further_penalty = false;
  // No score is above 0 or, with a likelihood, above the largest likelihood.
  bool has_upper_bound = true;
  // The penalty is that of normalised maximum likelihood. It may be negative for fractional counts.
  bool is_normalised = false;

  [[nodiscard]] bool is_dirichlet() const { return pseudo_counts != PseudoCounts::kNone; }
};

struct Score {
  std::string_view name;
  ScoreAbilities abilities;
  std::unique_ptr<SetScorer> (*make)(const ScoreSettings& settings, const CountSource& source);
};

namespace scores {

extern const Score log_likelihood;
extern const Score bic;
extern const Score aic;
extern const Score mdl;  // BIC and a penalty for naming the parents.
extern const Score bdeu;
extern const Score k2;
extern const Score jeffreys;
extern const Score bds;
extern const Score fnml;
extern const Score qnml;
extern const Score bde;
extern const Score mit;

}  // namespace scores

[[nodiscard]] std::span<const Score* const> all_scores();
// The score of a name; null if there is no such score.
[[nodiscard]] const Score* find_score(std::string_view name);

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
  const Score* score = &scores::bdeu;
  double ess = 1.0;
  // Number of states of each variable, as the score counts them.
  std::span<const std::int32_t> n_states;
  double alpha = 0.999;        // Confidence level of MIT.
  JointProbabilities prior{};  // Joint probabilities of the prior network, for BDe.
  // Bytes that one table of the prior network may take, for BDe.
  double max_bytes = std::numeric_limits<double>::infinity();

  [[nodiscard]] const ScoreAbilities& abilities() const { return score->abilities; }
};

}  // namespace credenet
