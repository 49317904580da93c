#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/posterior/dag_state.hpp"
#include "credenet/posterior/family_weights.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Draws the parents of one variable given the rest of the DAG (a Gibbs step), and sums up the
// probabilities that they were drawn with.
//
// Given the other variables' parents, a variable has each family whose parents are no descendants
// with probability in proportion to its weight. Such probabilities are better estimates than
// counting what was drawn (Rao-Blackwell), and cost nothing more. They are kept for each variable
// as long as the same candidate parents are blocked.
//
// These draws alone reach every DAG if each list has a family within all its others, as without
// knowledge the empty one: all variables go there one after the other, which removes edges only,
// and from there to any DAG, parents first.
class ParentDraws {
 public:
  explicit ParentDraws(const FamilyWeights& weights);

  // Counts the probabilities of the variable's families in this DAG, and draws one if asked.
  void visit(DagState& state, std::size_t variable, bool draws, Random& random);

  // Sums over all visits since the last clear. After settle they are up to date.
  struct Sums {
    std::vector<double> families;
    std::vector<double> edges;    // at child * n_variables + parent
    std::vector<double> squares;  // of the edge probabilities
  };
  void settle();
  void clear();
  [[nodiscard]] const Sums& sums() const { return sums_; }

 private:
  struct Known {
    std::vector<std::uint64_t> blocked;  // among the candidates
    WeighedFamilies families;
    double n_visits = 0;  // not yet in the sums
  };

  void add(std::size_t variable);

  const FamilyWeights& weights_;
  std::vector<Known> known_;
  std::vector<std::uint64_t> blocked_;
  std::vector<double> shares_;  // of each parent
  Sums sums_;
};

}  // namespace credenet
