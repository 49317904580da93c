#include "credenet/credible/orientations.hpp"

#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::count_orientations;
using credenet::Random;

namespace {

using Graph = std::vector<std::uint64_t>;

std::uint64_t bit(std::size_t node) { return std::uint64_t{1} << node; }

// Nodes are added one after the other, each joined to some nodes of a clique: the graph is chordal.
Graph random_chordal(Random& random, std::size_t n) {
  Graph graph(n, 0);
  for (std::size_t node = 1; node < n; ++node) {
    const std::size_t other = random.below(node);
    std::uint64_t clique = bit(other);
    for (std::size_t more = 0; more < node; ++more) {
      if ((clique & ~graph[more]) == 0 && random.below(3) != 0) clique |= bit(more);
    }
    if (random.below(5) == 0) clique = 0;
    for (std::size_t neighbour = 0; neighbour < node; ++neighbour) {
      if ((clique & bit(neighbour)) == 0) continue;
      graph[node] |= bit(neighbour);
      graph[neighbour] |= bit(node);
    }
  }
  return graph;
}

// By trying every direction of every edge.
std::uint64_t slow_count(const Graph& graph) {
  const std::size_t n = graph.size();
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if ((graph[a] & bit(b)) != 0) edges.emplace_back(a, b);
    }
  }
  std::uint64_t count = 0;
  for (std::uint64_t turned = 0; turned < bit(edges.size()); ++turned) {
    Graph parents(n, 0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto [a, b] = edges[e];
      if ((turned & bit(e)) != 0) {
        parents[a] |= bit(b);
      } else {
        parents[b] |= bit(a);
      }
    }
    bool fits = true;
    for (std::size_t node = 0; node < n; ++node) {
      for (std::size_t parent = 0; parent < n; ++parent) {
        const std::uint64_t others = parents[node] & ~bit(parent);
        if ((parents[node] & bit(parent)) != 0 && (others & ~graph[parent]) != 0) fits = false;
      }
    }
    std::uint64_t placed = 0;
    for (std::size_t round = 0; round < n; ++round) {
      for (std::size_t node = 0; node < n; ++node) {
        if ((parents[node] & ~placed) == 0) placed |= bit(node);
      }
    }
    if (fits && placed == bit(n) - 1) ++count;
  }
  return count;
}

Graph clique(std::size_t n) {
  Graph graph;
  for (std::size_t node = 0; node < n; ++node) graph.push_back((bit(n) - 1) ^ bit(node));
  return graph;
}

}  // namespace

int main() {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Graph graph = random_chordal(random, 1 + random.below(6));
    CHECK(count_orientations(graph) == slow_count(graph));
  }
  CHECK(count_orientations(clique(20)) == 2432902008176640000ULL);
  CHECK(count_orientations(clique(21)) == 0);  // too large
  Graph path(64, 0);
  for (std::size_t node = 1; node < 64; ++node) {
    path[node] |= bit(node - 1);
    path[node - 1] |= bit(node);
  }
  CHECK(count_orientations(path) == 64);
  // Two triangles that share an edge.
  CHECK(count_orientations(Graph{0b1110, 0b1101, 0b0011, 0b0011}) ==
        slow_count({0b1110, 0b1101, 0b0011, 0b0011}));
}
