#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/posterior/dag_state.hpp"
#include "credenet/posterior/family_weights.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Draws the parents of some variables anew, one variable after the other.
//
// All edges into the variables are taken away. Then each variable in turn draws a family in
// proportion to its weight, among those that close no cycle with the edges that are there; some
// must have a given parent. The move back does the same for the old families, in an order that
// depends on the move. Both proposals are products of weights and one sum for each variable, so
// the weights cancel and the new DAG is accepted with probability min(1, q), where q is the product
// of the sums on the way there over that on the way back.
class BlockMoves {
 public:
  explicit BlockMoves(const FamilyWeights& weights) : weights_(weights) {}

  // Edge reversal (Grzegorczyk and Husmeier 2008): an edge i -> j is drawn; i draws parents with j
  // among them, then j draws any. The way back draws j with i, then i; and the edge is one of those
  // of the other DAG. Both moves return the steps that they took.
  double reverse_edge(DagState& state, Random& random);

  // Resampling of a Markov blanket (Su and Borsuk 2016): a variable is drawn and draws parents
  // anew, then each of its children does, in random order, with the variable among them. The way
  // back takes the children in the opposite order.
  double resample_blanket(DagState& state, Random& random);

 private:
  struct Step {
    std::size_t variable = 0;
    std::size_t required = FamilyWeights::kNone;
  };

  // Makes the move from there_ to back_; counts_edges if its proposal draws an edge.
  double run(DagState& state, bool counts_edges, Random& random);
  bool draw_new(DagState& state, double& log_q, Random& random);
  void weigh_back(DagState& state, double& log_q);
  // Leaves only the required edges into the variables of the steps.
  void open(DagState& state, std::span<const Step> steps,
            std::span<const DagState::Change> families);
  void restore(DagState& state);

  const FamilyWeights& weights_;
  std::vector<std::uint64_t> blocked_;
  std::vector<Step> there_;
  std::vector<Step> back_;
  std::vector<DagState::Change> old_;
  std::vector<DagState::Change> new_;
  FamilyWeights::Weighed weighed_;
  double steps_ = 0;
};

}  // namespace credenet
