#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// What is known of pairs of variables: those with a directed path from the first to the second,
// those without one, and those with an arc in one direction or the other.
struct PairRules {
  using Pair = std::pair<std::int32_t, std::int32_t>;

  std::vector<Pair> ancestral;
  std::vector<Pair> not_ancestral;
  std::vector<Pair> adjacent;
};

// Rules out families that are in no network of living families that obeys the rules: an arc
// that all living families of a child have is there, and what a chain of such arcs and of known
// paths leads to cannot be a parent of where it starts. False if no network is left.
[[nodiscard]] bool propagate_arcs(const FamilyLists& lists, const PairRules& rules,
                                  std::span<std::uint8_t> alive);

// The variables in groups such that no cycle of living families leaves a group (strong_components).
[[nodiscard]] std::vector<std::vector<std::int32_t>> living_components(
    const FamilyLists& lists, std::span<const std::uint8_t> alive);

enum class PairRelation : std::uint8_t { kForward, kBackward, kNone };

// Rules out families that say otherwise about the arc between two variables: first ->
// second, second -> first, or no arc.
void restrict_pair(const FamilyLists& lists, std::int32_t first, std::int32_t second,
                   PairRelation relation, std::span<std::uint8_t> alive);

}  // namespace credenet
