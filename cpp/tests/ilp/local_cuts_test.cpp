#include "credenet/ilp/local_cuts.hpp"

#include <algorithm>
#include <bit>

#include "check.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

namespace {

// Checks local cuts of any weights: no network exceeds the limit, and one of all families reaches
// it.
void test_any_weights_hold(std::size_t n, int rounds) {
  Random random(n);
  const AllFamilies all(n);
  FamilyRows rows(all.view());
  for (int round = 0; round < rounds; ++round) {
    Cut cut{0, {}};
    for (std::size_t v = n; v-- > 0;) {
      if (random.below(5) > 0) cut.members.push_back(static_cast<std::int32_t>(v));
    }
    if (cut.members.empty()) continue;
    for (std::size_t k = random.below(12); k > 0; --k) {
      const auto child = static_cast<std::int32_t>(random.below(cut.members.size()));
      auto parents = static_cast<std::uint32_t>(random.below(1ULL << cut.members.size()));
      parents &= ~(1U << child);
      cut.terms.push_back({child, parents, static_cast<std::int32_t>(1 + random.below(5))});
    }
    rows.add(cut);
  }
  std::vector<double> largest(rows.size(), -1e9);
  for_each_network(all.view(), [&](const std::vector<double>& x) {
    const std::vector<double> violations = rows.violations(x);
    for (std::size_t at = 0; at < largest.size(); ++at) {
      largest[at] = std::max(largest[at], violations[at]);
    }
  });
  for (const double violation : largest) CHECK(violation == 0);
}

// Checks that every cut is violated as much as asked and holds for every network. With all
// variables as members, nothing found means that x is a mixture of networks, as far as its masses
// go: then x obeys every cut there is.
void test_cuts_are_violated_and_valid() {
  Random random(4);
  int n_found = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 3 + random.below(3);
    const RandomLists drawn(random, n, 6, 4);
    const FamilyLists lists = drawn.view();
    const std::vector<double> x = draw_solution(lists, random);
    const std::vector<Cut> cuts = local_cuts(lists, x, n, 1, 0.02, 100, random());
    FamilyRows rows(lists);
    for (const Cut& cut : cuts) {
      CHECK(cut.kind == 0 && cut.members.size() <= n && !cut.terms.empty());
      const auto number = static_cast<std::size_t>(rows.add(cut));
      CHECK(rows.violations(x)[number] >= 0.02 * rows.row(number).limit - 1e-9);
    }
    for_each_network(lists, [&](const std::vector<double>& network) {
      for (const double violation : rows.violations(network)) CHECK(violation <= 0);
    });
    n_found += cuts.empty() ? 0 : 1;
    if (!cuts.empty()) continue;
    FamilyRows clusters(lists);
    for (std::uint32_t set = 1; set < 1U << n; ++set) {
      std::vector<std::int32_t> members;
      for (std::size_t v = 0; v < n; ++v) {
        if ((set >> v & 1) != 0) members.push_back(static_cast<std::int32_t>(v));
      }
      for (std::size_t k = 1; k < members.size(); ++k) {
        clusters.add(Cut{static_cast<std::int32_t>(k), members});
      }
    }
    // A k-cluster of m members has the limit m - k.
    for (const double violation : clusters.violations(x)) {
      CHECK(violation <= 0.02 * static_cast<double>(n - 1) + 1e-3);
    }
  }
  CHECK(n_found > 50 && n_found < 290);
}

// Checks that a mixture of networks violates nothing.
void test_nothing_cuts_off_mixtures() {
  Random random(5);
  const AllFamilies all(4);
  const FamilyLists lists = all.view();
  std::vector<std::vector<double>> networks;
  for_each_network(lists, [&](const std::vector<double>& x) { networks.push_back(x); });
  for (int round = 0; round < 50; ++round) {
    std::vector<double> x(lists.scores.size(), 0.0);
    for (int part = 0; part < 4; ++part) {
      const auto& network = networks[random.below(networks.size())];
      for (std::size_t f = 0; f < x.size(); ++f) x[f] += network[f] / 4;
    }
    CHECK(local_cuts(lists, x, 4, 3, 1e-3, 100, 0).empty());
  }
}

}  // namespace

int main() {
  test_any_weights_hold(4, 200);
  test_any_weights_hold(5, 40);
  test_cuts_are_violated_and_valid();
  test_nothing_cuts_off_mixtures();
}
