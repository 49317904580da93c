#include "credenet/ilp/cluster_cuts.hpp"

#include <algorithm>
#include <set>

#include "check.hpp"
#include "credenet/ilp/fractional_support.hpp"
#include "credenet/ilp/small_facets.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

namespace {

double mass_of(const FamilyLists& lists, const std::vector<double>& x, std::size_t cluster) {
  double mass = 0;
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    if ((cluster >> v & 1) == 0) continue;
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      const bool has_none = std::ranges::none_of(
          lists.parents_of(f), [&](std::int32_t parent) { return (cluster >> parent & 1) != 0; });
      if (has_none) mass += x[f];
    }
  }
  return mass;
}

// Checks that every cut is violated as much as asked, holds for every network, and comes once.
// Violated cuts are found nearly always.
void test_cuts_are_violated_and_valid() {
  Random random(2);
  int n_violated = 0;
  int n_found = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = 2 + random.below(4);
    const RandomLists drawn(random, n, 5, 3);
    const FamilyLists lists = drawn.view();
    const std::vector<double> x = draw_solution(lists, random);
    FamilyRows rows(lists);
    std::vector<Cut> cuts = cluster_cuts(lists, x, 0.05, 100);
    const bool has_clusters = std::ranges::any_of(cuts, [](const Cut& c) { return c.kind == 1; });
    const std::vector<Cut> small = small_cuts(lists, x, 0.05, 100, 10000);
    cuts.insert(cuts.end(), small.begin(), small.end());
    for (const Cut& cut : cuts) {
      const std::int32_t number = rows.add(cut);
      CHECK(rows.violations(x)[static_cast<std::size_t>(number)] >= 0.05 - 1e-5);
    }
    for_each_network(lists, [&](const std::vector<double>& network) {
      for (const double violation : rows.violations(network)) CHECK(violation <= 0);
    });
    double least = 1;
    for (std::size_t cluster = 1; cluster < std::size_t{1} << n; ++cluster) {
      least = std::min(least, mass_of(lists, x, cluster));
    }
    CHECK(!has_clusters || least <= 0.95 + 1e-9);
    if (least > 0.94) continue;
    ++n_violated;
    if (has_clusters) ++n_found;
  }
  CHECK(n_violated > 100);
  CHECK(n_found * 100 >= n_violated * 99);
}

// Checks that the small sets joined by cycles are all looked at: a violated triangle in a large
// graph.
void test_small_sets_are_all_seen() {
  const AllFamilies all(5);
  const FamilyLists lists = all.view();
  std::vector<double> x(lists.scores.size(), 0.0);
  const auto use = [&](std::size_t v, std::set<std::int32_t> wanted, double mass) {
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      const auto parents = lists.parents_of(f);
      if (std::set<std::int32_t>(parents.begin(), parents.end()) == wanted) x[f] += mass;
    }
  };
  // Each of 1, 3 and 4 has both others half of the time: clusters hold with mass 1.5.
  use(0, {1}, 1);
  use(2, {0}, 1);
  use(1, {3, 4}, 0.5);
  use(1, {}, 0.5);
  use(3, {1, 4}, 0.5);
  use(3, {}, 0.5);
  use(4, {1, 3}, 0.5);
  use(4, {}, 0.5);
  const std::vector<Cut> cuts = small_cuts(lists, x, 0.1, 10, 1000);
  CHECK(cuts.size() == 1);
  CHECK((cuts[0] == Cut{2, {1, 3, 4}}));
  CHECK(small_cuts(lists, x, 0.1, 0, 1000).empty());
  CHECK(small_cuts(lists, x, 0.1, 10, 0).empty());
  const FractionalSupport support(lists, x);
  CHECK(support.groups().size() == 1 && support.groups()[0].size() == 3);
  CHECK(support.families_of(0).empty() && support.families_of(1).size() == 2);
}

}  // namespace

int main() {
  test_cuts_are_violated_and_valid();
  test_small_sets_are_all_seen();
}
