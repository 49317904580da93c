#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/posterior/dag_state.hpp"
#include "credenet/posterior/family_weights.hpp"
#include "credenet/posterior/window_sums.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Draws the parents of several variables, a window, together, given those of all others.
//
// A family inside the window counts as its parents there and those members that lead to its other
// parents by paths outside. With these sets, the families of the window close a cycle if and only
// if they do among themselves. So all their DAGs are summed and one is drawn (WindowSums), whatever
// the DAG was before: a Gibbs step, which crosses any barrier inside the window.
class WindowMoves {
 public:
  static constexpr std::size_t kMostMembers = 12;

  // The weights must outlive it.
  explicit WindowMoves(const FamilyWeights& weights, std::size_t most_members = kMostMembers);

  void resample(DagState& state, Random& random);

 private:
  // Chooses variables that may have edges among each other; which ones does not depend on the DAG.
  // Mostly they are few. Each one more makes a window about three times as slow and, from some
  // number on, a third as frequent.
  void choose(Random& random);
  // Whether doubles hold all sums.
  [[nodiscard]] bool is_narrow() const;
  template <typename Number>
  void draw(WindowSums<Number>& sums, Random& random);

  const FamilyWeights& weights_;
  std::size_t most_members_;
  // Candidate parents and children of each variable.
  std::vector<std::vector<std::uint32_t>> near_;
  std::vector<std::uint32_t> members_;
  // Each member and the variables to which paths outside lead from it.
  std::vector<std::uint64_t> groups_;
  std::vector<FamilyWeights::Folded> folded_;
  std::vector<DagState::Change> changes_;
  WindowSums<Plain> plain_;
  WindowSums<Scaled> scaled_;
};

}  // namespace credenet
