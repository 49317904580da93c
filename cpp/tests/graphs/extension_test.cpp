#include "credenet/graphs/extension.hpp"

#include "check.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;

// Counts the polls before the first node is removed, and stops after some.
class PollsOfTheFirst final : public Control {
 public:
  explicit PollsOfTheFirst(std::size_t most = 1000) : most_(most) {}
  [[nodiscard]] bool poll(const Progress& progress) override {
    if (n_polls == most_) return false;
    n_polls += progress.done == 0 ? 1 : 0;
    return true;
  }

  std::size_t n_polls = 0;

 private:
  std::size_t most_;
};

int main() {
  {  // A cycle of four without a chord has no extension.
    const EdgeList square{{0, 1, 2, 3}, {1, 2, 3, 0}};
    CHECK(!extension_order({4, {}, square.view()}).has_value());
  }
  {  // A cycle of four with a chord has an extension.
    const EdgeList square{{0, 1, 2, 3, 0}, {1, 2, 3, 0, 2}};
    CHECK(extension_order({4, {}, square.view()}).has_value());
  }
  {  // Either way of 1 - 2 in 0 -> 1 - 2 <- 3 makes a new collider.
    const EdgeList directed{{0, 3}, {1, 2}};
    const EdgeList undirected{{1}, {2}};
    CHECK(!extension_order({4, directed.view(), undirected.view()}).has_value());
  }
  {  // Children go first.
    const EdgeList directed{{0, 1}, {1, 2}};
    CHECK((*extension_order({3, directed.view(), {}}) == std::vector<Node>{2, 1, 0}));
  }
  Random random(4);  // A DAG is its own extension.
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
  {  // The check of a node with many neighbours is stopped, too.
    EdgeList clique;
    for (Node a = 0; a < 100; ++a) {
      for (Node b = a + 1; b < 100; ++b) clique.add(a, b);
    }
    const MixedGraph graph(100, {}, clique.view());
    PollsOfTheFirst polls;
    CHECK(nearest_extension_order(graph, polls).size() == 100);
    CHECK(polls.n_polls == 99);
    for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{50}}) {
      PollsOfTheFirst stopped{most};
      CHECK(nearest_extension_order(graph, stopped).size() == 100);
      CHECK(stopped.n_polls == most);
    }
  }
  return 0;
}
