#include "credenet/treewidth/k_tree.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "credenet/treewidth/dandelion_code.hpp"
#include "families/every_network.hpp"
#include "treewidth/k_tree_checks.hpp"

using credenet::KTree;
using credenet::Random;
using credenet::sample_k_tree;
using credenet::TreeDecomposition;

namespace {

// Checks that a set is joined if and only if all its pairs are edges, and if and only if it is in
// one bag.
void test_cliques_and_bags() {
  Random random(1);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = 1 + random.below(8);
    const std::size_t k = random.below(n);
    const KTree tree = sample_k_tree(n, k, random);
    const TreeDecomposition decomposition = tree.decomposition();
    const Edges edges = edges_of(tree);
    CHECK(decomposition.bags.size() == n - k);
    CHECK(decomposition.width() == k);
    const AllFamilies all(n);
    const credenet::FamilyLists lists = all.view();
    for (std::size_t v = 0; v < n; ++v) {
      const auto variable = static_cast<std::int32_t>(v);
      for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
        const auto parents = lists.parents_of(family);
        std::vector<std::int32_t> members(parents.begin(), parents.end());
        members.push_back(variable);
        const bool joined = tree.joins(variable, parents);
        CHECK(joined == is_clique(edges, members));
        // The first family of a variable is the empty set.
        std::vector<std::int32_t> families(n, 0);
        families[v] = static_cast<std::int32_t>(family - lists.begin(v));
        CHECK(joined == is_within(lists, families, decomposition));
      }
    }
  }
}

void test_information_is_the_sum_over_edges() {
  Random random(2);
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t n = 1 + random.below(20);
    const KTree tree = sample_k_tree(n, random.below(n), random);
    const std::vector<double> weights = draw_weights(n, random);
    double expected = 0;
    for (const auto& [a, b] : edges_of(tree)) {
      expected += weights[static_cast<std::size_t>(a) * n + static_cast<std::size_t>(b)];
    }
    CHECK(std::abs(tree.information({weights, n}) - expected) < 1e-9);
  }
}

}  // namespace

int main() {
  test_cliques_and_bags();
  test_information_is_the_sum_over_edges();
}
