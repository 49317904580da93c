#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/owned_lists.hpp"
#include "credenet/posterior/dag_state.hpp"
#include "credenet/posterior/weight_table.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Draws the parents of several variables, a window, together, given those of all others.
//
// A family inside the window counts as its parents there and those members that lead to its other
// parents by paths outside. With these sets, the families of the window close a cycle if and only
// if they do among themselves. So all their DAGs are summed and one is drawn (DagSums, DagSampler),
// whatever the DAG was before: a Gibbs step, which crosses any barrier inside the window.
class WindowMoves {
 public:
  static constexpr std::size_t kMostMembers = 8;

  // The lists must outlive it.
  explicit WindowMoves(const FamilyLists& lists, std::size_t most_members = kMostMembers);

  void resample(DagState& state, Random& random);

 private:
  // Variables that may have edges among each other; which ones does not depend on the DAG.
  void choose(Random& random);
  // For every variable, the members that lead to it by paths outside the window.
  void find_sources(DagState& state);
  // What a family counts as; holds the member itself if the family would close a cycle.
  [[nodiscard]] std::uint32_t inside(std::size_t family) const;
  void weigh();
  [[nodiscard]] std::int64_t drawn_family(std::size_t member, std::uint32_t set, double log_weight,
                                          Random& random) const;

  FamilyLists lists_;
  std::size_t most_members_;
  std::vector<std::vector<std::uint32_t>> near_;  // candidate parents and children
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> sources_;
  std::vector<std::uint64_t> reached_;
  std::vector<DagState::Change> changes_;
  WeightTable weights_{0};
  OwnedLists sets_;  // of members, with their log weights
};

}  // namespace credenet
