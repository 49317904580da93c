#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/posterior/dag_state.hpp"
#include "credenet/posterior/family_weights.hpp"
#include "credenet/posterior/window_choice.hpp"
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

  // The weights and the choice must outlive it.
  WindowMoves(const FamilyWeights& weights, const WindowChoice& choice,
              std::size_t most_members = kMostMembers);

  // Windows begin with each variable in proportion to its weight from now on; at first all are
  // alike. The weights must not depend on the DAG.
  void focus(std::span<const double> weights);
  // Returns the steps that it took.
  double resample(DagState& state, Random& random);

 private:
  // Chooses the members. Mostly they are as few as take little time. Each one more makes the sums
  // about three times as slow and is a third as frequent.
  void choose(Random& random);
  // Whether doubles hold all sums.
  [[nodiscard]] bool is_narrow() const;
  template <typename Number>
  void draw(WindowSums<Number>& sums, Random& random);

  const FamilyWeights& weights_;
  const WindowChoice& choice_;
  std::size_t most_members_;
  std::size_t few_members_;         // Members of most windows.
  std::vector<double> first_sums_;  // Weights of the variables that windows begin with, summed.
  std::vector<std::uint32_t> members_;
  // Each member and the variables to which paths outside lead from it.
  std::vector<std::uint64_t> groups_;
  std::vector<FamilyWeights::Folded> folded_;
  std::vector<DagState::Change> changes_;
  WindowSums<Plain> plain_;
  WindowSums<Scaled> scaled_;
};

}  // namespace credenet
