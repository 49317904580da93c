#include "credenet/inference/approximate/cluster_graph.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"
#include "small_network.hpp"

using credenet::ClusterGraph;
using credenet::FactorsView;
using credenet::Node;
using credenet::Random;

namespace {

struct Scopes : OwnedFactors {
  explicit Scopes(Random& random) {
    const std::size_t n = 1 + random.below(9);
    for (std::size_t variable = 0; variable < n; ++variable) {
      n_states.push_back(static_cast<std::int32_t>(1 + random.below(3)));
    }
    for (std::size_t factor = random.below(12); factor-- > 0;) {
      std::vector<std::int32_t> scope(n);
      std::iota(scope.begin(), scope.end(), 0);
      std::shuffle(scope.begin(), scope.end(), random);
      scope.resize(1 + random.below(std::min<std::size_t>(n, 4)));
      std::ranges::sort(scope);
      scopes.insert(scopes.end(), scope.begin(), scope.end());
      std::int64_t cells = 1;
      for (const std::int32_t member : scope) cells *= n_states[static_cast<std::size_t>(member)];
      scope_offsets.push_back(static_cast<std::int64_t>(scopes.size()));
      table_offsets.push_back(table_offsets.back() + cells);
      tables.insert(tables.end(), static_cast<std::size_t>(cells), 1.0);
    }
  }
};

bool has(const std::vector<Node>& members, Node node) {
  return std::ranges::binary_search(members, node);
}

// Checks that every factor is in one cluster that covers it, separators are in both their clusters,
// and the clusters of a variable and the links that carry it are a tree.
void check_graph(const FactorsView& factors, const ClusterGraph& graph) {
  std::vector<std::size_t> n_homes(factors.n_factors(), 0);
  for (const auto& cluster : graph.clusters) {
    CHECK(std::ranges::is_sorted(cluster.members));
    for (const std::size_t factor : cluster.factors) {
      ++n_homes[factor];
      for (const Node member : factors.scope(factor)) CHECK(has(cluster.members, member));
    }
  }
  CHECK(std::ranges::all_of(n_homes, [](std::size_t count) { return count == 1; }));
  for (Node variable = 0; variable < static_cast<Node>(factors.n_variables()); ++variable) {
    std::vector<std::size_t> group(graph.clusters.size());
    std::iota(group.begin(), group.end(), 0);
    const auto n_clusters = std::ranges::count_if(
        graph.clusters, [&](const auto& cluster) { return has(cluster.members, variable); });
    CHECK(n_clusters > 0);
    std::ptrdiff_t n_joined = 1;
    for (const auto& link : graph.links) {
      if (!has(link.separator, variable)) continue;
      const auto first = static_cast<std::size_t>(link.first);
      const auto second = static_cast<std::size_t>(link.second);
      CHECK(has(graph.clusters[first].members, variable));
      CHECK(has(graph.clusters[second].members, variable));
      CHECK(group[first] != group[second]);  // The links make no loop.
      const std::size_t old = group[second];
      for (std::size_t& mark : group) {
        if (mark == old) mark = group[first];
      }
      ++n_joined;
    }
    CHECK(n_joined == n_clusters);
  }
}

}  // namespace

int main() {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    const Scopes scopes(random);
    const FactorsView factors = scopes.view();
    check_graph(factors, credenet::factor_graph(factors));
    std::size_t largest = 1;
    for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
      largest = std::max(largest, factors.scope(factor).size());
    }
    for (const std::size_t i_bound : {1, 2, 3, 9}) {
      const ClusterGraph graph = credenet::join_graph(factors, i_bound);
      check_graph(factors, graph);
      for (const auto& cluster : graph.clusters) {
        CHECK(cluster.members.size() <= std::max(i_bound + 1, largest));
      }
      for (std::size_t variable = 0; variable < factors.n_variables(); ++variable) {
        CHECK(!graph.buckets[variable].empty());
        for (const std::int32_t id : graph.buckets[variable]) {
          const auto& members = graph.clusters[static_cast<std::size_t>(id)].members;
          CHECK(members.back() == static_cast<Node>(variable));
        }
      }
      CHECK(i_bound < 9 || graph.is_tree);
    }
    const ClusterGraph fitted = credenet::largest_join_graph(factors, 9, 20);
    check_graph(factors, fitted);
    CHECK(fitted.cells <= 20 || fitted.cells == credenet::join_graph(factors, 1).cells);
  }
}
