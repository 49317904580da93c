#include "credenet/graphs/mixed_graph.hpp"

#include "check.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;
using Mark = MixedGraph::Mark;

namespace {

// The marks as a matrix, at [a][b] that of the edge between a and b seen from a; -1 for none.
struct Marks {
  std::vector<std::vector<int>> of;

  explicit Marks(std::size_t n) : of(n, std::vector<int>(n, -1)) {}
  void set(Node a, Node b, Mark mark) {
    const Mark seen = mark == Mark::kUndirected ? mark
                      : mark == Mark::kOut      ? Mark::kIn
                                                : Mark::kOut;
    of[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = static_cast<int>(mark);
    of[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = static_cast<int>(seen);
  }
};

void check_marks(const MixedGraph& graph, const Marks& expected) {
  const std::size_t n = expected.of.size();
  CHECK(graph.n_nodes() == n);
  for (Node a = 0; a < static_cast<Node>(n); ++a) {
    std::vector<Node> marked[3];
    for (Node b = 0; b < static_cast<Node>(n); ++b) {
      const int mark = expected.of[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
      CHECK(graph.adjacent(a, b) == (mark >= 0));
      CHECK(graph.undirected(a, b) == (mark == 0));
      if (mark < 0) continue;
      marked[mark].push_back(b);
      const std::size_t slot = graph.skeleton().slot(a, b);
      CHECK(static_cast<int>(graph.mark(slot)) == mark);
      CHECK(graph.is_undirected(slot) == (mark == 0));
      CHECK(graph.owner(slot) == a && graph.owner(graph.twin(slot)) == b);
      const EdgeList edge{{a}, {b}};
      CHECK(graph.marks(edge.view()) == std::vector{static_cast<Mark>(mark)});
    }
    for (int mark = 0; mark < 3; ++mark) {
      CHECK(graph.marked(a, static_cast<Mark>(mark)) == marked[mark]);
    }
  }
}

}  // namespace

int main() {
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 1 + random.below(7);
    const EdgeList edges = random_dag(n, 0.5, random);
    EdgeList directed;
    EdgeList undirected;
    Marks expected(n);
    for (std::size_t edge = 0; edge < edges.from.size(); ++edge) {
      const bool has_direction = random.below(2) == 0;
      (has_direction ? directed : undirected).add(edges.from[edge], edges.to[edge]);
      expected.set(edges.from[edge], edges.to[edge],
                   has_direction ? Mark::kOut : Mark::kUndirected);
    }
    MixedGraph graph(n, directed.view(), undirected.view());
    check_marks(graph, expected);
    for (std::size_t change = 0; change < 5 && !edges.from.empty(); ++change) {
      const std::size_t edge = random.below(edges.from.size());
      const std::size_t slot = graph.skeleton().slot(edges.from[edge], edges.to[edge]);
      if (random.below(2) == 0) {
        graph.orient(slot);
        expected.set(edges.from[edge], edges.to[edge], Mark::kOut);
      } else {
        graph.unorient(slot);
        expected.set(edges.from[edge], edges.to[edge], Mark::kUndirected);
      }
      check_marks(graph, expected);
    }
  }
}
