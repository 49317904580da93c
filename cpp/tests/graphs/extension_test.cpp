#include "credenet/graphs/extension.hpp"

#include "check.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;

int main() {
  {  // a cycle of four without a chord has none
    const EdgeList square{{0, 1, 2, 3}, {1, 2, 3, 0}};
    CHECK(!extension_order({4, {}, square.view()}).has_value());
  }
  {  // with a chord it has
    const EdgeList square{{0, 1, 2, 3, 0}, {1, 2, 3, 0, 2}};
    CHECK(extension_order({4, {}, square.view()}).has_value());
  }
  {  // 0 -> 1 - 2 <- 3: either way makes a new collider
    const EdgeList directed{{0, 3}, {1, 2}};
    const EdgeList undirected{{1}, {2}};
    CHECK(!extension_order({4, directed.view(), undirected.view()}).has_value());
  }
  {  // children go first
    const EdgeList directed{{0, 1}, {1, 2}};
    CHECK((*extension_order({3, directed.view(), {}}) == std::vector<Node>{2, 1, 0}));
  }
  Random random(4);  // a DAG is its own extension
  for (int round = 0; round < 50; ++round) {
    const EdgeList dag = random_dag(30, 0.2, random);
    const auto order = extension_order({30, dag.view(), {}});
    CHECK(order.has_value());
    std::vector<std::size_t> rank(30);
    for (std::size_t place = 0; place < 30; ++place) rank[(*order)[place]] = place;
    for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
      CHECK(rank[dag.from[edge]] > rank[dag.to[edge]]);
    }
  }
  return 0;
}
