#include "credenet/ilp/lp_rounding.hpp"

#include "check.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

namespace {

// Checks that a network comes out acyclic, whatever the solution, and that one that is a network
// does not get worse.
void test_rounding() {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(5);
    const RandomLists drawn(random, n, 5, 3);
    const FamilyLists lists = drawn.view();
    const std::vector<double> x = draw_solution(lists, random);
    for (const auto& families : {rounded_network(lists, x), rounded_by_sinks(lists, x)}) {
      CHECK(families.size() == n);
      CHECK(is_acyclic(lists, families));
    }
    for_each_network(lists, [&](const std::vector<double>& network) {
      const double score = score_of_use(lists, network);
      CHECK(score_of(lists, rounded_network(lists, network)) >= score - 1e-9);
      CHECK(score_of(lists, rounded_by_sinks(lists, network)) >= score - 1e-9);
    });
  }
}

// Checks two variables that need each other: they cannot be placed.
void test_no_network() {
  const std::vector<std::int64_t> starts{0, 1, 2};
  const std::vector<double> scores{-1, -1};
  const std::vector<std::int64_t> offsets{0, 1, 2};
  const std::vector<std::int32_t> parents{1, 0};
  const FamilyLists lists{starts, scores, offsets, parents};
  const std::vector<double> x{1, 1};
  CHECK(rounded_network(lists, x).empty());
  CHECK(rounded_by_sinks(lists, x).empty());
}

}  // namespace

int main() {
  test_rounding();
  test_no_network();
}
