#include "credenet/credible/family_groups.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "check.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

int main() {
  Random random(13);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 2 + random.below(6);
    const RandomLists drawn(random, n, 12, 3);
    const FamilyLists lists = drawn.view();
    std::vector<std::int32_t> members;
    for (std::size_t v = 0; v < n; ++v) {
      if (members.empty() || random.below(3) > 0) members.push_back(static_cast<std::int32_t>(v));
    }
    const FamilyGroups groups(lists, members);
    CHECK(groups.n_variables() == members.size());
    std::size_t n_groups = 0;
    std::size_t n_families = 0;
    for (std::size_t at = 0; at < members.size(); ++at) {
      const auto variable = static_cast<std::size_t>(members[at]);
      std::set<std::uint64_t> seen;
      std::set<std::size_t> positions;
      double last_group = 1e9;
      for (std::size_t k = 0; k < groups.groups(at).size(); ++k) {
        const FamilyGroups::Group& group = groups.groups(at)[k];
        CHECK(groups.number(at, k) == n_groups++);
        CHECK(seen.insert(group.parents).second);
        CHECK(group.score <= last_group && group.begin < group.end);
        last_group = group.score;
        CHECK(groups.score(group.begin) == group.score);
        for (std::size_t place = group.begin; place < group.end; ++place) {
          const std::size_t family = lists.begin(variable) + groups.position(place);
          CHECK(positions.insert(groups.position(place)).second);
          CHECK(groups.score(place) == lists.scores[family]);
          CHECK(place == group.begin || groups.score(place) <= groups.score(place - 1));
          std::uint64_t inside = 0;
          for (const std::int32_t parent : lists.parents_of(family)) {
            const auto bit = std::ranges::find(members, parent) - members.begin();
            if (bit < std::ssize(members)) inside |= std::uint64_t{1} << bit;
          }
          CHECK(inside == group.parents);
        }
      }
      CHECK(positions.size() == lists.end(variable) - lists.begin(variable));
      CHECK(groups.n_families(at) == positions.size());
      n_families += positions.size();
    }
    CHECK(groups.n_groups() == n_groups && groups.n_families() == n_families);
  }
}
