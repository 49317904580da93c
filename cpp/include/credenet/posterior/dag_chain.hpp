#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/posterior/arc_moves.hpp"
#include "credenet/posterior/block_moves.hpp"
#include "credenet/posterior/dag_state.hpp"
#include "credenet/posterior/family_steps.hpp"
#include "credenet/posterior/family_weights.hpp"
#include "credenet/posterior/parent_draws.hpp"
#include "credenet/posterior/window_choice.hpp"
#include "credenet/posterior/window_moves.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// The moves of a sweep. A sweep visits each variable once; the numbers are averages for each visit.
struct ChainMoves {
  bool draws_parents = true;
  double n_reversals = 0.3;
  double n_blankets = 0.05;
  double arc_time = 3;       // Time of arc moves in a sweep; see ArcMoves.
  double n_windows = 0.002;  // Until the chain is paced.
};

// What moves cost so far, counted in steps of about a nanosecond. Unlike time, it is the same for
// the same seed.
struct ChainSteps {
  double windows = 0;
  double counts = 0;  // To find the probabilities that are counted.
  double others = 0;
  std::size_t n_windows = 0;
  std::size_t n_visits = 0;
  std::size_t n_counted = 0;  // Visits that counted.
};

// The sums of a chain over some sweeps.
struct ChainSums {
  std::size_t n_sweeps = 0;
  std::size_t n_counted = 0;       // Sweeps that count probabilities.
  std::size_t n_sampled = 0;       // Sweeps of which single edge probabilities are summed, too.
  ParentDraws::Sums parents;       // Sums to which each counting sweep adds one probability.
  std::vector<double> path_times;  // How long there was a path from a to b, at b * n_variables + a.
  double time = 0;
  // Sum of the scores at the end of each sweep, each less that of the best families.
  double score_sum = 0;
  double score_squares = 0;
  std::vector<std::int64_t> networks;  // Families of the recorded networks, one after the other.
  std::vector<double> scores;          // Scores of the recorded networks.
};

// The tables that chains over the same lists share; the lists must outlive them.
struct ChainTables {
  explicit ChainTables(const FamilyLists& lists) : weights(lists), steps(lists), choice(weights) {}

  // The approximate bytes of the tables.
  [[nodiscard]] static std::size_t bytes(const FamilyLists& lists);

  FamilyWeights weights;
  FamilySteps steps;
  WindowChoice choice;
};

// A Markov chain over the DAGs made of listed families, whose stationary distribution has weights
// exp(score).
//
// Every move leaves that distribution as it is, so any sequence of moves that does not look at the
// DAG does, too. Draws of the parents of single variables make the chain irreducible (see
// ParentDraws); edge reversals and resampled Markov blankets bring it through Markov equivalence
// classes and past bad DAGs between good ones, windows past barriers of several variables, and
// offered networks past all others. Given that a DAG scores enough to be replaced, what replaces it
// is a draw from the stationary distribution.
class DagChain {
 public:
  // Starts with a family for each variable; together they are acyclic. (seed, stream) names the
  // chain's random numbers.
  DagChain(const ChainTables& tables, std::span<const std::int64_t> start, const ChainMoves& moves,
           std::uint64_t seed, std::uint64_t stream);

  // Offers networks for the next sweeps, one after the other, drawn by their weights from all that
  // score at least least_score: a DAG that does so itself may be replaced by an offered one.
  void offer(std::vector<std::int64_t> networks, double least_score);
  // Sets the number of windows for each visit, the weights of the variables that they begin with,
  // and the sweeps from one that counts to the next: 1, 2, 4 or 8. None may depend on the DAG of
  // the chain.
  void pace(double n_windows, std::span<const double> focus, std::uint64_t count_every);
  [[nodiscard]] const ChainSteps& steps() const { return steps_; }
  // Offered networks that took the place of a DAG, or could have.
  [[nodiscard]] std::size_t n_taken() const;

  // Goes on for some sweeps, recording every record_every-th network. False if the control stopped
  // it, which may be after any sweep; calling it again goes on from there.
  bool run(std::size_t n_sweeps, std::size_t record_every, Control& control);

  // The sums since the last call.
  [[nodiscard]] ChainSums take_sums();

  [[nodiscard]] std::uint64_t n_moves() const { return n_moves_; }
  [[nodiscard]] const DagState& state() const { return state_; }

 private:
  // Sweeps from one that samples edge probabilities to the next.
  static constexpr std::uint64_t kSampleEvery = 8;

  void sweep();
  void take_offered();
  void record(std::size_t record_every);

  ChainMoves moves_;
  Random random_;
  DagState state_;
  ArcMoves arcs_;
  BlockMoves blocks_;
  ParentDraws parents_;
  WindowMoves windows_;
  std::vector<std::int64_t> offered_;
  std::size_t n_taken_ = 0;  // Numbers taken so far.
  double least_score_ = 0;
  std::size_t offer_every_ = 0;  // Visits from one offer to the next; 0 if nothing is offered.
  std::size_t n_visits_ = 0;
  std::vector<DagState::Change> changes_;
  double bound_ = 0;  // Sum of the best families' scores.
  double n_reversals_due_ = 0;
  double n_blankets_due_ = 0;
  double n_windows_due_ = 0;
  std::uint64_t n_moves_ = 0;
  std::uint64_t n_sweeps_ = 0;
  std::uint64_t count_every_ = 1;
  ChainSteps steps_;
  ChainSums sums_;
};

}  // namespace credenet
