#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/search/family_lists.hpp"

namespace credenet {

// Takes the life of families that no network of living families has: an arc that all living
// families of a child have is there, and what a chain of such arcs leads to cannot be a parent of
// where it starts. False if no network is left.
[[nodiscard]] bool propagate_arcs(const FamilyLists& lists, std::span<std::uint8_t> alive);

// The variables in groups such that no cycle of living families leaves a group (strong_components).
[[nodiscard]] std::vector<std::vector<std::int32_t>> living_components(
    const FamilyLists& lists, std::span<const std::uint8_t> alive);

enum class PairRelation : std::uint8_t { kForward, kBackward, kNone };

// Takes the life of families that say otherwise about the arc between two variables: first ->
// second, second -> first, or no arc.
void restrict_pair(const FamilyLists& lists, std::int32_t first, std::int32_t second,
                   PairRelation relation, std::span<std::uint8_t> alive);

}  // namespace credenet
