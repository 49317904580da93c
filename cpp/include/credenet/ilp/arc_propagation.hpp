#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// Rules on pairs of variables: pairs with a directed path from the first to the second, pairs
// without one, and adjacent pairs.
struct PairRules {
  using Pair = std::pair<std::int32_t, std::int32_t>;

  std::vector<Pair> ancestral;
  std::vector<Pair> not_ancestral;
  std::vector<Pair> adjacent;
};

// Removes families that no network of remaining families has that obeys the rules. An arc that all
// remaining families of a child have is certain, and a variable that certain arcs and known paths
// lead to cannot be a parent of the variable they start from. False if no network is left.
[[nodiscard]] bool propagate_arcs(const FamilyLists& lists, const PairRules& rules,
                                  std::span<std::uint8_t> alive);

// The strongly connected components of the remaining families (strong_components).
[[nodiscard]] std::vector<std::vector<std::int32_t>> remaining_components(
    const FamilyLists& lists, std::span<const std::uint8_t> alive);

enum class PairRelation : std::uint8_t { kForward, kBackward, kNone };

// Branches on a pair of variables: removes the families that contradict first -> second,
// second -> first, or no arc.
void restrict_pair(const FamilyLists& lists, std::int32_t first, std::int32_t second,
                   PairRelation relation, std::span<std::uint8_t> alive);

}  // namespace credenet
