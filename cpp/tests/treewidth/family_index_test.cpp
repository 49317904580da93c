#include "credenet/treewidth/family_index.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "families/random_lists.hpp"

using credenet::FamilyIndex;
using credenet::FamilyLists;
using credenet::Random;

namespace {

// The first family with these parents before the empty set, by looking at all.
std::int64_t find_slowly(const FamilyLists& lists, std::size_t v, std::uint32_t set) {
  for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
    std::uint32_t parents = 0;
    for (const std::int32_t parent : lists.parents_of(family)) parents |= 1U << parent;
    if (parents == set) return static_cast<std::int64_t>(family);
    if (parents == 0) break;
  }
  return FamilyIndex::kAbsent;
}

}  // namespace

int main() {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t n = 1 + random.below(8);
    const RandomLists drawn(random, n, 20, 4, trial % 2 == 0);
    const FamilyLists lists = drawn.view();
    const std::size_t most = random.below(5);
    const FamilyIndex index(lists, most);
    std::vector<std::int32_t> members(n);
    for (std::size_t v = 0; v < n; ++v) members[v] = static_cast<std::int32_t>(v);
    CHECK(index.most_parents() <= most);
    for (std::size_t v = 0; v < n; ++v) {
      for (std::uint32_t set = 0; set < 1U << n; ++set) {
        std::uint64_t key = 0;
        for (std::size_t p = 0; p < n; ++p) key ^= (set >> p & 1) != 0 ? index.key(members[p]) : 0;
        std::int64_t expected = find_slowly(lists, v, set);
        if (static_cast<std::size_t>(std::popcount(set)) > most) expected = FamilyIndex::kAbsent;
        CHECK(index.find(members[v], members, set, key) == expected);
        const double score = index.score(key ^ index.child_key(members[v]));
        CHECK(score == (expected < 0 ? FamilyIndex::kNoScore
                                     : lists.scores[static_cast<std::size_t>(expected)]));
      }
    }
  }
  return 0;
}
