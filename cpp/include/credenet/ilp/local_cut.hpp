#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/ilp/family_rows.hpp"

namespace credenet {

// Local cuts: inequalities on a few variables, the members. A family counts the largest weight of
// the terms whose parents it has all, or 0. The limit is the largest sum over an acyclic choice for
// the members, so every network obeys the inequality for any weights.
inline constexpr std::size_t kMostLocalMembers = 12;

// The weights of the members' families for every set of parents among the members: 2^k numbers for
// each of the k members.
[[nodiscard]] std::vector<std::int32_t> local_weights(const Cut& cut);

// The most that the members of each set count with parents in the set.
[[nodiscard]] std::vector<std::int32_t> best_prefixes(std::span<const std::int32_t> weights,
                                                      std::size_t n_members);

// The inequality over the families of some lists.
[[nodiscard]] Row local_row(const FamilyLists& lists, const Cut& cut);

}  // namespace credenet
