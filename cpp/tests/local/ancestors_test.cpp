#include "credenet/local/ancestors.hpp"

#include <algorithm>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::Ancestors;
using credenet::ParentSets;
using credenet::Random;

namespace {

// Checks that after every edge that is added or removed the ancestors are as if found anew.
void test_changes_of_single_edges() {
  Random random(1);
  for (const std::size_t n : {2U, 7U, 70U, 130U}) {
    ParentSets graph(n);
    Ancestors changed(n);
    Ancestors found(n);
    CHECK(changed.find(graph));
    for (int step = 0; step < 400; ++step) {
      const std::size_t child = random.below(n);
      auto& parents = graph[child];
      if (!parents.empty() && random.below(3) == 0) {
        parents.erase(parents.begin() + static_cast<std::ptrdiff_t>(random.below(parents.size())));
        changed.remove(graph, child);
      } else {
        const auto parent = static_cast<std::uint16_t>(random.below(n));
        if (parent == child || changed.contains(parent, child)) continue;
        const auto at = std::ranges::lower_bound(parents, parent);
        if (at != parents.end() && *at == parent) continue;
        parents.insert(at, parent);
        changed.add(parent, child);
      }
      CHECK(found.find(graph));
      for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t other = 0; other < n; ++other) {
          CHECK(changed.contains(v, other) == found.contains(v, other));
        }
      }
    }
  }
}

void test_cycles_are_found() {
  Ancestors ancestors(3);
  CHECK(!ancestors.find({{2}, {0}, {1}}));
  CHECK(ancestors.find({{}, {0}, {1}}));
  CHECK(ancestors.contains(2, 0) && !ancestors.contains(0, 2));
}

}  // namespace

int main() {
  test_changes_of_single_edges();
  test_cycles_are_found();
}
