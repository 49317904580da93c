#include "credenet/graphs/orientations.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"
#include "stop_at.hpp"

using credenet::Adjacency;
using credenet::Control;
using credenet::count_orientations;
using credenet::Natural;
using credenet::NoControl;
using credenet::Node;
using credenet::Random;

namespace {

using Graph = std::vector<std::uint64_t>;

std::uint64_t bit(std::size_t node) { return std::uint64_t{1} << node; }

// A chordal graph: nodes are added one after the other, each joined to some nodes of a clique.
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

// The number of orientations by trying every direction of every edge.
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

// The number of orientations by lists of neighbours, with nodes without edges between those of the
// graph.
std::optional<Natural> count_spread(const Graph& graph, std::size_t step, Control& control) {
  std::vector<Node> from;
  std::vector<Node> to;
  for (std::size_t a = 0; a < graph.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if ((graph[a] & bit(b)) == 0) continue;
      from.push_back(static_cast<Node>(a * step));
      to.push_back(static_cast<Node>(b * step));
    }
  }
  const credenet::Edges edges{from, to};
  return count_orientations(Adjacency::symmetric(graph.size() * step, {&edges, 1}), control);
}

// The number of orientations of triangles in a row, each of which shares an edge with the next:
// node k joins k + 1 and k + 2.
std::optional<Natural> count_triangles(std::size_t n, Control& control) {
  std::vector<Node> from;
  std::vector<Node> to;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < std::min(n, a + 3); ++b) {
      from.push_back(static_cast<Node>(a));
      to.push_back(static_cast<Node>(b));
    }
  }
  const credenet::Edges edges{from, to};
  return count_orientations(Adjacency::symmetric(n, {&edges, 1}), control);
}

}  // namespace

int main() {
  Random random(5);
  NoControl control;
  for (int trial = 0; trial < 200; ++trial) {
    const Graph graph = random_chordal(random, 1 + random.below(6));
    CHECK(count_orientations(graph) == slow_count(graph));
    CHECK(count_spread(graph, 20, control) == Natural(slow_count(graph)));
  }
  CHECK(count_orientations(clique(20)) == 2432902008176640000ULL);
  Natural more = 2432902008176640000ULL;
  more *= 21;
  CHECK(count_orientations(clique(21)) == more);
  // The first triangle has 6 orientations, and each further node adds 4.
  for (const std::size_t n : {3, 5, 20, 64, 65, 150}) {
    CHECK(count_triangles(n, control) == Natural(4 * n - 6));
  }
  StopAt stop(3);
  CHECK(!count_triangles(20, stop));
  Graph path(64, 0);
  for (std::size_t node = 1; node < 64; ++node) {
    path[node] |= bit(node - 1);
    path[node - 1] |= bit(node);
  }
  CHECK(count_orientations(path) == 64);
  // The graph is two triangles that share an edge.
  CHECK(count_orientations(Graph{0b1110, 0b1101, 0b0011, 0b0011}) ==
        slow_count({0b1110, 0b1101, 0b0011, 0b0011}));
}
