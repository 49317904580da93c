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
// counting what was drawn (Rao-Blackwell). They are kept for each variable as long as the same
// candidate parents are blocked. They need the weights of all families, a draw that of few, and
// DAGs of visits one after the other are much alike. So only some visits count them.
//
// These draws alone reach every DAG if each list has a family within all its others, as without
// knowledge the empty one: all variables go there one after the other, which removes edges only,
// and from there to any DAG, parents first.
class ParentDraws {
 public:
  explicit ParentDraws(const FamilyWeights& weights);

  // Sums over visits since the last take. Edges are at child * n_variables + parent.
  struct Sums {
    std::vector<double> families;
    std::vector<double> edges;
    // The edge probabilities of the sampled visits, and their squares.
    std::vector<double> sampled;
    std::vector<double> squares;
  };

  // What a visit does beside a draw. Neither may depend on the DAG.
  enum class Use : std::uint8_t {
    kNothing,  // The draw alone, which need not add up all families.
    kCount,    // Counts the probabilities of the variable's families in this DAG.
    kSample,   // Counts and samples them: edge probabilities of single DAGs take longer to find.
  };
  struct Steps {
    double draws = 0;
    double counts = 0;
  };
  // Visits a variable, and draws its parents if asked. Returns the steps that it took.
  Steps visit(DagState& state, std::size_t variable, bool draws, Use use, Random& random);
  [[nodiscard]] Sums take_sums();

 private:
  struct Known {
    std::vector<std::uint64_t> blocked;  // Blocked variables among the candidates.
    FamilyWeights::Weighed families;
    double n_visits = 0;  // Visits that are not yet in the sums.
    double n_sampled = 0;
  };

  void move(DagState& state, std::size_t variable, std::size_t family);
  void add(std::size_t variable);
  void add_sampled(std::size_t variable, double n_sampled);

  const FamilyWeights& weights_;
  std::vector<Known> known_;
  std::vector<std::uint64_t> blocked_;
  std::vector<double> shares_;  // Share of each parent.
  std::vector<double> places_;  // Sums of families, in the order of the blocks.
  std::vector<double> sampled_;
  std::vector<double> squares_;
};

}  // namespace credenet
