#include "credenet/inference/approximate/cluster_graph.hpp"

#include <algorithm>
#include <iterator>

namespace credenet {
namespace {

double cells_of(const FactorsView& factors, const std::vector<Node>& members) {
  double cells = 1;
  for (const Node member : members) cells *= static_cast<double>(factors.states_of(member));
  return cells;
}

void measure(const FactorsView& factors, ClusterGraph& graph) {
  for (const auto& cluster : graph.clusters) graph.cells += cells_of(factors, cluster.members);
  for (const auto& link : graph.links) graph.separator_cells += cells_of(factors, link.separator);
}

// A factor, or the message of a cluster eliminated before.
struct Item {
  std::vector<Node> scope;
  std::int64_t factor = -1;
  std::int32_t source = -1;
};

std::vector<Node> joined(const std::vector<Node>& a, const std::vector<Node>& b) {
  std::vector<Node> result;
  std::ranges::set_union(a, b, std::back_inserter(result));
  return result;
}

}  // namespace

ClusterGraph factor_graph(const FactorsView& factors) {
  ClusterGraph graph;
  for (std::size_t variable = 0; variable < factors.n_variables(); ++variable) {
    graph.clusters.push_back({{static_cast<Node>(variable)}, {}});
  }
  for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
    const auto scope = factors.scope(factor);
    if (scope.size() == 1) {
      graph.clusters[static_cast<std::size_t>(scope[0])].factors.push_back(factor);
      continue;
    }
    const auto id = static_cast<std::int32_t>(graph.clusters.size());
    graph.clusters.push_back({{scope.begin(), scope.end()}, {factor}});
    for (const Node member : scope) graph.links.push_back({id, member, {member}});
  }
  measure(factors, graph);
  return graph;
}

ClusterGraph join_graph(const FactorsView& factors, std::size_t i_bound) {
  const std::size_t n = factors.n_variables();
  ClusterGraph graph;
  graph.is_tree = true;
  graph.buckets.resize(n);
  std::vector<std::vector<Item>> items(n);
  for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
    const auto scope = factors.scope(factor);
    items[static_cast<std::size_t>(scope.back())].push_back(
        {{scope.begin(), scope.end()}, static_cast<std::int64_t>(factor), -1});
  }
  for (std::size_t variable = n; variable-- > 0;) {
    std::vector<Item>& here = items[variable];
    std::ranges::stable_sort(here, std::greater{},
                             [](const Item& item) { return item.scope.size(); });
    std::vector<std::int32_t>& bucket = graph.buckets[variable];
    const auto cluster = [&](std::int32_t id) -> ClusterGraph::Cluster& {
      return graph.clusters[static_cast<std::size_t>(id)];
    };
    for (const Item& item : here) {
      auto place = std::ranges::find_if(bucket, [&](std::int32_t id) {
        const std::size_t size = joined(cluster(id).members, item.scope).size();
        return size <= i_bound + 1 || size == cluster(id).members.size();
      });
      if (place == bucket.end()) {
        bucket.push_back(static_cast<std::int32_t>(graph.clusters.size()));
        graph.clusters.emplace_back();
        place = bucket.end() - 1;
      }
      cluster(*place).members = joined(cluster(*place).members, item.scope);
      if (item.factor >= 0) {
        cluster(*place).factors.push_back(static_cast<std::size_t>(item.factor));
      } else {
        graph.links.push_back({item.source, *place, item.scope});
      }
    }
    const auto node = static_cast<Node>(variable);
    if (bucket.empty()) {
      bucket.push_back(static_cast<std::int32_t>(graph.clusters.size()));
      graph.clusters.push_back({{node}, {}});
    }
    graph.is_tree = graph.is_tree && bucket.size() == 1;
    for (std::size_t at = 0; at < bucket.size(); ++at) {
      if (at > 0) graph.links.push_back({bucket[at - 1], bucket[at], {node}});
      std::vector<Node> rest = cluster(bucket[at]).members;
      rest.pop_back();
      if (rest.empty()) continue;
      const auto next = static_cast<std::size_t>(rest.back());
      items[next].push_back({std::move(rest), -1, bucket[at]});
    }
    here.clear();
  }
  measure(factors, graph);
  return graph;
}

ClusterGraph largest_join_graph(const FactorsView& factors, std::size_t most_bound,
                                double most_cells) {
  ClusterGraph best = join_graph(factors, 1);
  for (std::size_t i_bound = 2; i_bound <= most_bound && !best.is_tree; ++i_bound) {
    ClusterGraph next = join_graph(factors, i_bound);
    if (next.cells > most_cells) break;
    best = std::move(next);
  }
  return best;
}

}  // namespace credenet
