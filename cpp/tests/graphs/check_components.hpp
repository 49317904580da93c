#pragma once

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "credenet/graphs/reachability.hpp"
#include "graphs/random_graphs.hpp"

// Checks strong components by the definition: two nodes are together if each reaches the other, and
// a group comes after those that it reaches.
inline void check_components(std::size_t n_nodes, const EdgeList& edges,
                             const std::vector<std::vector<credenet::Node>>& groups) {
  const credenet::Adjacency graph(n_nodes, edges.from, edges.to);
  std::vector<std::vector<std::uint8_t>> reaches;
  for (std::size_t node = 0; node < n_nodes; ++node) {
    const std::vector<credenet::Node> source{static_cast<credenet::Node>(node)};
    reaches.push_back(credenet::reachable(graph, source));
  }
  std::vector<std::size_t> group_of(n_nodes, n_nodes);
  for (std::size_t at = 0; at < groups.size(); ++at) {
    CHECK(!groups[at].empty() && std::ranges::is_sorted(groups[at]));
    for (const credenet::Node member : groups[at]) {
      CHECK(group_of[static_cast<std::size_t>(member)] == n_nodes);
      group_of[static_cast<std::size_t>(member)] = at;
    }
  }
  for (std::size_t a = 0; a < n_nodes; ++a) {
    CHECK(group_of[a] < n_nodes);
    for (std::size_t b = 0; b < n_nodes; ++b) {
      CHECK((group_of[a] == group_of[b]) == (reaches[a][b] != 0 && reaches[b][a] != 0));
      if (reaches[a][b] != 0) CHECK(group_of[b] <= group_of[a]);
    }
  }
}
