#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/ilp/family_rows.hpp"

namespace credenet {

// Local cuts: inequalities on a few variables, the members. A family counts the largest weight of
// the terms that it has all the parents of, or nothing; the limit is the most that an acyclic
// choice for the members counts. So whatever the weights are, every network obeys.
inline constexpr std::size_t kMostLocalMembers = 12;

// What the members' families count, for every set of parents among the members: 2^k numbers of each
// of the k members.
[[nodiscard]] std::vector<std::int32_t> local_weights(const Cut& cut);

// For each set of members, the most that its members count with parents in the set.
[[nodiscard]] std::vector<std::int32_t> best_prefixes(std::span<const std::int32_t> weights,
                                                      std::size_t n_members);

// The inequality over the families of some lists.
[[nodiscard]] Row local_row(const FamilyLists& lists, const Cut& cut);

}  // namespace credenet
