#include "credenet/treewidth/sampled_orders.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "credenet/treewidth/dandelion_code.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"
#include "treewidth/best_network_within.hpp"
#include "treewidth/k_tree_checks.hpp"

using credenet::FamilyLists;
using credenet::FamilySelection;
using credenet::KTree;
using credenet::NoControl;
using credenet::Random;
using credenet::SampledNetwork;
using credenet::SmallFamilies;

namespace {

// A selection of families as lists of their own.
BitLists selected(const FamilyLists& lists, const FamilySelection& selection) {
  BitLists kept;
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    for (const std::int32_t position : selection.of(v)) {
      const std::size_t family = lists.begin(v) + static_cast<std::size_t>(position);
      kept.add_family(lists.scores[family], lists.parents_of(family));
    }
    kept.end_variable();
  }
  return kept;
}

void test_selections() {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 1 + random.below(9);
    const std::size_t k = random.below(n);
    const RandomLists drawn(random, n, 20, 4, trial % 2 == 0);
    const FamilyLists lists = drawn.view();
    const KTree tree = credenet::sample_k_tree(n, k, random);
    const Edges edges = edges_of(tree);
    const SmallFamilies families(lists, k);
    const FamilySelection& small = families.all();
    const FamilySelection within = families.within(tree);
    for (std::size_t v = 0; v < n; ++v) {
      std::vector<std::int32_t> expected_small;
      std::vector<std::int32_t> expected_within;
      for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
        const auto parents = lists.parents_of(family);
        const auto position = static_cast<std::int32_t>(family - lists.begin(v));
        std::vector<std::int32_t> members(parents.begin(), parents.end());
        members.push_back(static_cast<std::int32_t>(v));
        if (parents.size() <= k) expected_small.push_back(position);
        if (is_clique(edges, members)) expected_within.push_back(position);
        if (parents.empty()) break;
      }
      CHECK(std::ranges::equal(small.of(v), expected_small));
      CHECK(std::ranges::equal(within.of(v), expected_within));
    }
  }
}

// Checks networks of orders. If variables may need parents, an order has a network if there is any;
// if they need none, the network is the best of that order.
void test_network_of_an_order() {
  Random random(2);
  int n_feasible = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(6);
    const RootedLists rooted(random, n, 5, 2);
    const RandomLists free(random, n, 10, 3);
    std::vector<std::int32_t> order = credenet::sample_variables(n, n, random);
    for (std::size_t at = n; at > 1; --at) std::swap(order[at - 1], order[random.below(at)]);
    const FamilyLists lists = free.view();
    const auto families = network_of_order(lists, SmallFamilies(lists, n).all(), order);
    CHECK(is_acyclic(lists, families));
    CHECK(is_close(score_of(lists, families), score_of_order(lists, order)));
    const FamilyLists hard = rooted.view();
    const auto found = network_of_order(hard, SmallFamilies(hard, n).all(), order);
    CHECK(found.empty() == std::isinf(best_score(hard)));
    if (found.empty()) continue;
    ++n_feasible;
    CHECK(is_acyclic(hard, found));
  }
  CHECK(n_feasible > 50 && n_feasible < 250);
}

void test_many_orders_find_the_best() {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = 1 + random.below(5);
    const std::size_t k = random.below(n);
    const RandomLists drawn(random, n, 6, 3);
    const FamilyLists lists = drawn.view();
    const KTree tree = credenet::sample_k_tree(n, k, random);
    const FamilySelection within = SmallFamilies(lists, k).within(tree);
    NoControl control;
    const SampledNetwork network = sample_orders(lists, within, 2000, random, control);
    CHECK(network.is_finished);
    CHECK(is_acyclic(lists, network.families));
    CHECK(is_within(lists, network.families, tree.decomposition()));
    CHECK(network.score == score_of(lists, network.families));
    CHECK(is_close(network.score, best_network_within(lists, tree.decomposition())));
    CHECK(is_close(network.score, best_score(selected(lists, within).view())));
  }
}

void test_stopped_it_has_a_network() {
  Random random(4);
  const RandomLists drawn(random, 20, 10, 3);
  const FamilySelection all = SmallFamilies(drawn.view(), 19).all();
  for (const int n_polls : {1, 2, 5}) {
    StopAt control(n_polls);
    const SampledNetwork network = sample_orders(drawn.view(), all, 100, random, control);
    CHECK(!network.is_finished);
    CHECK(is_acyclic(drawn.view(), network.families));
  }
}

}  // namespace

int main() {
  test_selections();
  test_network_of_an_order();
  test_many_orders_find_the_best();
  test_stopped_it_has_a_network();
}
