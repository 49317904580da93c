#include "credenet/graphs/reachability.hpp"

#include "check.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;

int main() {
  using Mask = std::vector<std::uint8_t>;
  EdgeList edges;  // The graph is 0 -> 2 <- 1, 2 -> 3, and 4 alone.
  edges.add(0, 2);
  edges.add(1, 2);
  edges.add(2, 3);
  const Digraph graph(5, edges.view());
  const std::vector<Node> zero{0};
  const std::vector<Node> two{2};
  const std::vector<Node> three{3};
  CHECK((reachable(graph.children, zero) == Mask{1, 0, 1, 1, 0}));
  CHECK((reachable(graph.parents, three) == Mask{1, 1, 1, 1, 0}));
  CHECK((d_connected(graph, zero, {}) == Mask{0, 0, 1, 1, 0}));
  CHECK((d_connected(graph, zero, two) == Mask{0, 1, 0, 0, 0}));
  CHECK((d_connected(graph, zero, three) == Mask{0, 1, 1, 0, 0}));

  Random random(2);  // D-connection is symmetric.
  for (int round = 0; round < 30; ++round) {
    const EdgeList dag = random_dag(25, 0.12, random);
    const Digraph drawn(25, dag.view());
    const std::vector<Node> given{3, 11, 17};
    std::vector<Mask> rows;
    for (Node node = 0; node < 25; ++node) {
      rows.push_back(d_connected(drawn, std::vector<Node>{node}, given));
    }
    for (Node a = 0; a < 25; ++a) {
      for (Node b = 0; b < 25; ++b) {
        if (a == 3 || a == 11 || a == 17 || b == 3 || b == 11 || b == 17) continue;
        CHECK(rows[a][b] == rows[b][a]);
      }
    }
  }
  return 0;
}
