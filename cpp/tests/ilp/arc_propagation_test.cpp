#include "credenet/ilp/arc_propagation.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

namespace {

bool lives(const std::vector<double>& x, const std::vector<std::uint8_t>& alive) {
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (x[f] > 0 && alive[f] == 0) return false;
  }
  return true;
}

// Checks that no network is lost, and that the three relations of a pair share them out.
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
    const bool is_possible = propagate_arcs(lists, {}, left);
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

// Checks that 2 cannot be a parent of 0 if 0 -> 1 -> 2 are sure; a chain of steps follows from it.
void test_chain() {
  const AllFamilies all(3);
  const FamilyLists lists = all.view();
  std::vector<std::uint8_t> alive(lists.scores.size(), 1);
  restrict_pair(lists, 0, 1, PairRelation::kForward, alive);
  restrict_pair(lists, 1, 2, PairRelation::kForward, alive);
  CHECK(propagate_arcs(lists, {}, alive));
  // The families left: 0 alone; 1 from 0; 2 from 1, with or without 0.
  CHECK(std::ranges::count(alive, 1) == 4);
  restrict_pair(lists, 0, 2, PairRelation::kBackward, alive);
  CHECK(!propagate_arcs(lists, {}, alive));
}

std::vector<PairRules::Pair> draw_pairs(Random& random, std::size_t n) {
  std::vector<PairRules::Pair> pairs;
  while (random.below(2) > 0) {
    const std::size_t first = random.below(n);
    const std::size_t second = (first + 1 + random.below(n - 1)) % n;
    pairs.emplace_back(static_cast<std::int32_t>(first), static_cast<std::int32_t>(second));
  }
  return pairs;
}

// Whether the network of the used families has a path from the first to the second.
bool leads(const FamilyLists& lists, const std::vector<double>& x, PairRules::Pair pair) {
  if (pair.first == pair.second) return true;
  const auto head = static_cast<std::size_t>(pair.second);
  for (std::size_t f = lists.begin(head); f < lists.end(head); ++f) {
    if (x[f] == 0) continue;
    return std::ranges::any_of(lists.parents_of(f), [&](std::int32_t parent) {
      return leads(lists, x, {pair.first, parent});
    });
  }
  return false;
}

bool is_arc(const FamilyLists& lists, const std::vector<double>& x, PairRules::Pair pair) {
  const auto head = static_cast<std::size_t>(pair.second);
  for (std::size_t f = lists.begin(head); f < lists.end(head); ++f) {
    const auto parents = lists.parents_of(f);
    if (x[f] > 0) return std::ranges::find(parents, pair.first) != parents.end();
  }
  return false;
}

bool obeys(const FamilyLists& lists, const std::vector<double>& x, const PairRules& rules) {
  const auto has_path = [&](PairRules::Pair pair) { return leads(lists, x, pair); };
  return std::ranges::all_of(rules.ancestral, has_path) &&
         std::ranges::none_of(rules.not_ancestral, has_path) &&
         std::ranges::all_of(rules.adjacent, [&](PairRules::Pair pair) {
           return is_arc(lists, x, pair) || is_arc(lists, x, {pair.second, pair.first});
         });
}

// Checks that no network is lost that obeys the rules, and that a single one that is left obeys
// them.
void test_rules() {
  Random random(9);
  int n_died = 0;
  int n_impossible = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::size_t n = 2 + random.below(4);
    const RandomLists drawn(random, n, 5, 3, random.below(2) > 0);
    const FamilyLists lists = drawn.view();
    const PairRules rules{draw_pairs(random, n), draw_pairs(random, n), draw_pairs(random, n)};
    std::vector<std::uint8_t> left(lists.scores.size(), 1);
    const bool is_possible = propagate_arcs(lists, rules, left);
    n_died += static_cast<int>(std::ranges::count(left, 0));
    if (!is_possible) ++n_impossible;
    const bool is_single =
        is_possible && static_cast<std::size_t>(std::ranges::count(left, 1)) == n;
    for_each_network(lists, [&](const std::vector<double>& x) {
      if (obeys(lists, x, rules)) CHECK(is_possible && lives(x, left));
      if (is_single && lives(x, left)) CHECK(obeys(lists, x, rules));
    });
  }
  CHECK(n_died > 500);
  CHECK(n_impossible > 50);
}

}  // namespace

int main() {
  test_propagation();
  test_rules();
  test_chain();
}
