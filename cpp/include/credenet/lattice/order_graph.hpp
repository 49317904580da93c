#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/lattice/best_parents.hpp"
#include "credenet/lattice/component_lists.hpp"

namespace credenet {

// The graph in which exact search walks: a node is the set U of variables placed so far, an arc
// places one more, v, with its best parents in U. What is lost by an arc is the score of v's best
// family of all minus that of its best family in U, so a network's loss is at least 0 and its score
// the sum of all best scores less its loss.
//
// Two reductions leave an optimal path from every node:
// - A variable that loses nothing is placed at once (Karan and Zola 2016). In any completion, move
//   it to the front: it keeps its best family, and the others only gain predecessors.
// - Otherwise, a variable *wants* the unplaced parents of its families better than its best in U.
//   Only variables of one set that wants nothing outside of itself and is smallest are placed next.
//   In any completion, move the members of that set to the front, in their order: they lose no
//   family that they could want, and the others only gain predecessors.
class OrderGraph {
 public:
  using Positions = std::array<std::uint32_t, ComponentLists::kMostVariables>;

  explicit OrderGraph(const ComponentLists& lists);

  [[nodiscard]] std::size_t n_variables() const { return n_; }
  [[nodiscard]] std::uint64_t everything() const { return everything_; }
  [[nodiscard]] bool is_feasible() const { return is_feasible_; }
  [[nodiscard]] double loss(std::size_t variable, std::size_t k) const {
    return losses_[starts_[variable] + k];
  }

  // The placed variables, extended by all that can follow without loss.
  [[nodiscard]] std::uint64_t close(std::uint64_t placed) const;

  // The variables to place next; with the best family of each. The set must be closed.
  [[nodiscard]] std::uint64_t next(std::uint64_t placed, Positions& families) const;

  // Sets the families of the variables that close() adds.
  void fill(std::uint64_t placed, std::span<std::int32_t> families) const;

  [[nodiscard]] const BestParents& best_parents() const { return best_; }

 private:
  const ComponentLists& lists_;
  BestParents best_;
  std::size_t n_;
  std::uint64_t everything_;
  bool is_feasible_;
  std::vector<std::size_t> starts_;  // Start of each variable's families, and the end of the list.
  std::vector<double> losses_;       // Loss of each family.
  std::vector<std::uint64_t> wanted_;  // Parents of all families that are better than each family.
};

}  // namespace credenet
