#include "credenet/families/dominated_families.hpp"

#include <algorithm>

#include "check.hpp"
#include "credenet/util/random.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

namespace {

// The dominated families by every pair of families of a variable.
std::vector<std::uint8_t> compared_in_pairs(const FamilyLists& lists, double slack) {
  std::vector<std::uint8_t> dominated(lists.scores.size(), 0);
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
      for (std::size_t other = lists.begin(v); other < lists.end(v); ++other) {
        const auto larger = lists.parents_of(family);
        const auto smaller = lists.parents_of(other);
        if (smaller.size() < larger.size() && std::ranges::includes(larger, smaller) &&
            lists.scores[other] - lists.scores[family] > slack) {
          dominated[family] = 1;
        }
      }
    }
  }
  return dominated;
}

void test_against_all_pairs() {
  Random random(5);
  std::size_t n_dominated = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(trial % 10 == 0 ? 90 : 18);
    // Up to 17 parents: more than are looked up subset by subset.
    const RandomLists lists(random, n, 60, trial % 3 == 0 ? 17 : 4, trial % 2 == 0);
    for (const double slack : {0.0, 2.5}) {
      const auto expected = compared_in_pairs(lists.view(), slack);
      CHECK(dominated_families(lists.view(), slack) == expected);
      n_dominated += static_cast<std::size_t>(std::ranges::count(expected, 1));
    }
  }
  CHECK(n_dominated > 1000);
}

}  // namespace

int main() { test_against_all_pairs(); }
