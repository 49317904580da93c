#include "credenet/lattice/component_lists.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "families/random_lists.hpp"
#include "graphs/check_components.hpp"

using credenet::ComponentLists;
using credenet::FamilyLists;
using credenet::Random;
using credenet::strong_components;

namespace {

// Checks the components by all families, and by some of them.
void test_strong_components() {
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(9);
    const RandomLists drawn(random, n, 3, 2);
    const FamilyLists lists = drawn.view();
    EdgeList arcs;
    EdgeList some_arcs;
    std::vector<std::size_t> some;
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
        const bool is_taken = random.below(2) == 0;
        if (is_taken) some.push_back(family);
        for (const std::int32_t parent : lists.parents_of(family)) {
          arcs.add(static_cast<std::int32_t>(v), parent);
          if (is_taken) some_arcs.add(static_cast<std::int32_t>(v), parent);
        }
      }
    }
    check_components(n, arcs, strong_components(lists));
    check_components(n, some_arcs, strong_components(lists, some));
  }
}

// Checks for every set of available members that the best family is that of the full lists with all
// others available too.
void test_best_is_kept() {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 2 + random.below(6);
    const RandomLists drawn(random, n, 12, 4);
    const FamilyLists lists = drawn.view();
    std::vector<std::int32_t> members;
    for (std::size_t v = 0; v < n; ++v) {
      if (random.below(3) != 0) members.push_back(static_cast<std::int32_t>(v));
    }
    const ComponentLists component(lists, members);
    CHECK(component.n_variables() == members.size());
    for (std::size_t v = 0; v < members.size(); ++v) {
      const auto variable = static_cast<std::size_t>(members[v]);
      CHECK(std::ranges::is_sorted(component.scores(v), std::ranges::greater()));
      for (std::uint64_t available = 0; available < std::uint64_t{1} << members.size();
           ++available) {
        std::size_t family = lists.begin(variable);
        const auto fits = [&] {
          return std::ranges::all_of(lists.parents_of(family), [&](std::int32_t parent) {
            const auto at = std::ranges::find(members, parent) - members.begin();
            return static_cast<std::size_t>(at) == members.size() || (available >> at & 1) != 0;
          });
        };
        while (family < lists.end(variable) && !fits()) ++family;
        const std::size_t k = component.best(v, available);
        CHECK((k == component.size(v)) == (family == lists.end(variable)));
        if (k < component.size(v)) {
          CHECK(component.scores(v)[k] == lists.scores[family]);
          CHECK(component.family(v, k) == static_cast<std::int64_t>(family));
        }
      }
      for (std::size_t k = 0; k < component.size(v); ++k) {
        for (std::size_t earlier = 0; earlier < k; ++earlier) {
          CHECK((component.parents(v)[earlier] & ~component.parents(v)[k]) != 0);
        }
      }
    }
  }
}

}  // namespace

int main() {
  test_strong_components();
  test_best_is_kept();
}
