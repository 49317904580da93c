#include "credenet/search/arc_propagation.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "every_network.hpp"
#include "random_lists.hpp"

using namespace credenet;

namespace {

bool lives(const std::vector<double>& x, const std::vector<std::uint8_t>& alive) {
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (x[f] > 0 && alive[f] == 0) return false;
  }
  return true;
}

// No network is lost, and the three relations of a pair share them out.
void test_propagation() {
  Random random(4);
  int n_died = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random.below(4);
    const RandomLists drawn(random, n, 5, 3, random.below(2) > 0);
    const FamilyLists lists = drawn.view();
    std::vector<std::uint8_t> alive(lists.scores.size());
    for (auto& life : alive) life = random.below(3) > 0 ? 1 : 0;
    std::vector<std::uint8_t> left = alive;
    const bool is_possible = propagate_arcs(lists, left);
    n_died += static_cast<int>(std::ranges::count(alive, 1) - std::ranges::count(left, 1));
    const auto first = static_cast<std::int32_t>(random.below(n));
    const auto second = static_cast<std::int32_t>((static_cast<std::size_t>(first) + 1) % n);
    std::vector<std::vector<std::uint8_t>> parts(3, alive);
    for (std::size_t relation = 0; relation < 3; ++relation) {
      restrict_pair(lists, first, second, static_cast<PairRelation>(relation), parts[relation]);
    }
    for_each_network(lists, [&](const std::vector<double>& x) {
      if (!lives(x, alive)) return;
      CHECK(is_possible && lives(x, left));
      CHECK(std::ranges::count_if(parts, [&](const auto& part) { return lives(x, part); }) == 1);
    });
  }
  CHECK(n_died > 50);
}

// 0 -> 1 -> 2 are sure: 2 cannot be a parent of 0, of which a chain of steps follows.
void test_chain() {
  const AllFamilies all(3);
  const FamilyLists lists = all.view();
  std::vector<std::uint8_t> alive(lists.scores.size(), 1);
  restrict_pair(lists, 0, 1, PairRelation::kForward, alive);
  restrict_pair(lists, 1, 2, PairRelation::kForward, alive);
  CHECK(propagate_arcs(lists, alive));
  CHECK(std::ranges::count(alive, 1) == 4);  // 0 alone; 1 from 0; 2 from 1, with or without 0
  restrict_pair(lists, 0, 2, PairRelation::kBackward, alive);
  CHECK(!propagate_arcs(lists, alive));
}

}  // namespace

int main() {
  test_propagation();
  test_chain();
}
