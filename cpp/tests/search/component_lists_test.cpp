#include "credenet/search/component_lists.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "random_lists.hpp"

using credenet::ComponentLists;
using credenet::FamilyLists;
using credenet::Random;
using credenet::strong_components;

namespace {

// Components by the definition: two variables are together if each reaches the other.
void test_strong_components() {
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(9);
    const RandomLists drawn(random, n, 3, 2);
    const FamilyLists lists = drawn.view();
    std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n, false));
    for (std::size_t v = 0; v < n; ++v) {
      reaches[v][v] = true;
      for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
        for (const std::int32_t parent : lists.parents_of(family)) {
          reaches[v][static_cast<std::size_t>(parent)] = true;
        }
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
        }
      }
    }
    const auto components = strong_components(lists);
    std::vector<std::size_t> component_of(n, n);
    for (std::size_t at = 0; at < components.size(); ++at) {
      CHECK(std::ranges::is_sorted(components[at]));
      for (const std::int32_t member : components[at]) {
        CHECK(component_of[static_cast<std::size_t>(member)] == n);
        component_of[static_cast<std::size_t>(member)] = at;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        CHECK((component_of[i] == component_of[j]) == (reaches[i][j] && reaches[j][i]));
        if (reaches[i][j]) CHECK(component_of[j] <= component_of[i]);
      }
    }
  }
}

// For every set of members at hand, the best family is that of the full lists with all others at
// hand too.
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
