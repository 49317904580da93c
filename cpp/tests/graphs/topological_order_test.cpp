#include "credenet/graphs/topological_order.hpp"

#include "check.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;

int main() {
  using Nodes = std::vector<Node>;
  {
    EdgeList edges;
    edges.add(2, 0);
    edges.add(0, 1);
    CHECK((topological_order({4, edges.view()}) == Nodes{2, 0, 1, 3}));
    CHECK(find_cycle({4, edges.view()}).empty());
  }
  {  // Node 4 hangs behind the cycle 1 -> 3 -> 2 -> 1, and 0 leads to it.
    EdgeList edges;
    edges.add(0, 3);
    edges.add(1, 3);
    edges.add(3, 2);
    edges.add(2, 1);
    edges.add(2, 4);
    CHECK((topological_order({5, edges.view()}) == Nodes{0}));
    CHECK((find_cycle({5, edges.view()}) == Nodes{1, 3, 2}));
  }
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    EdgeList edges = random_dag(40, 0.1, random);
    const std::vector<Node> order = topological_order({40, edges.view()});
    CHECK(order.size() == 40);
    std::vector<std::size_t> rank(40);
    for (std::size_t place = 0; place < 40; ++place) rank[order[place]] = place;
    for (std::size_t edge = 0; edge < edges.from.size(); ++edge) {
      CHECK(rank[edges.from[edge]] < rank[edges.to[edge]]);
    }
    edges.add(order[39], order[0]);
    edges.add(order[0], order[20]);
    edges.add(order[20], order[39]);
    const Digraph cyclic(40, edges.view());
    const std::vector<Node> cycle = find_cycle(cyclic);
    CHECK(cycle.size() >= 2);
    for (std::size_t step = 0; step < cycle.size(); ++step) {
      CHECK(cyclic.children.contains(cycle[step], cycle[(step + 1) % cycle.size()]));
    }
  }
  CHECK(topological_order({0, {}}).empty());
  return 0;
}
