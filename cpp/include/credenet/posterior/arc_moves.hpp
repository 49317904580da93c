#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/posterior/dag_state.hpp"
#include "credenet/posterior/family_steps.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Adds, removes and reverses single edges without rejections for their weight.
//
// This is a Markov process in continuous time. A DAG changes into another with one edge added,
// removed or reversed at the rate min(1, ratio of the weights), so the posterior is in detailed
// balance and a stretch of a given time leaves it as it is. How long a DAG stays is drawn, not
// waited for: a DAG that is much better than its neighbours costs one draw. A change that would
// close a cycle has rate 0; it is drawn as if it had not and then left out, which comes to the same
// (thinning), since whether there is a cycle is known at once, while the rates of all cyclic
// changes would have to be found anew after each change.
//
// The edge into a variable is drawn from a tree of the sums over the changes of each variable.
// After a change only the sums of the variable, its parents and its former parents are found anew.
//
// Families are listed, so that a change exists only between listed families. Where sets between two
// others are not listed these moves alone do not lead everywhere.
class ArcMoves {
 public:
  ArcMoves(const FamilyLists& lists, const FamilySteps& steps);

  // Runs the process for the given time. Returns the number of changes.
  std::size_t run(DagState& state, double time, Random& random);

 private:
  // How a change into a variable is made: the family of the variable, and for a reversal that of
  // the child that becomes a parent.
  struct Arc {
    std::size_t tail = 0;
    std::uint32_t family = 0;
    std::uint32_t tail_family = 0;
    bool is_reversal = false;
  };

  template <typename Visit>
  void for_each_arc(const DagState& state, std::size_t head, Visit&& visit) const;
  void update(const DagState& state, std::size_t head);
  [[nodiscard]] std::size_t draw_head(Random& random) const;
  [[nodiscard]] Arc draw_arc(const DagState& state, std::size_t head, Random& random) const;
  [[nodiscard]] static bool closes_cycle(const DagState& state, std::size_t head, const Arc& arc);
  static void apply(DagState& state, std::size_t head, const Arc& arc);

  const FamilySteps& steps_;
  std::size_t n_leaves_ = 1;
  // Sums of rates as a tree: the root is at 1, the children of k at 2k and 2k + 1.
  std::vector<double> tree_;
};

}  // namespace credenet
