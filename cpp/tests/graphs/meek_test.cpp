#include "credenet/graphs/meek.hpp"

#include "check.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;

namespace {

struct Case {
  EdgeList directed;
  EdgeList undirected;
  Node tail;
  Node head;
};

}  // namespace

int main() {
  // Each case is one rule alone, with the edge it orients.
  const Case cases[] = {
      {{{2}, {0}}, {{0}, {1}}, 0, 1},
      {{{0, 2}, {2, 1}}, {{0}, {1}}, 0, 1},
      {{{2, 3}, {1, 1}}, {{0, 0, 0}, {1, 2, 3}}, 0, 1},
      {{{2, 3}, {3, 1}}, {{0, 0, 0}, {1, 2, 3}}, 0, 1},
  };
  for (const Case& rule : cases) {
    MixedGraph graph(4, rule.directed.view(), rule.undirected.view());
    close_under_meek(graph);
    CHECK(graph.mark(graph.skeleton().slot(rule.tail, rule.head)) == MixedGraph::Mark::kOut);
    std::size_t n_left = 0;
    for (std::size_t edge = 0; edge < rule.undirected.from.size(); ++edge) {
      n_left += graph.undirected(rule.undirected.from[edge], rule.undirected.to[edge]) ? 1 : 0;
    }
    CHECK(n_left + 1 == rule.undirected.from.size());
  }

  {  // The fourth rule acts through an edge directed last: 3 -> 1 is known, then 2 -> 3.
    const EdgeList directed{{3}, {1}};
    const EdgeList undirected{{0, 0, 0, 2}, {1, 2, 3, 3}};
    MixedGraph graph(4, directed.view(), undirected.view());
    close_under_meek(graph);
    CHECK(graph.undirected(0, 1));
    const std::size_t edge = graph.skeleton().slot(2, 3);
    graph.orient(edge);
    CHECK(close_under_meek(graph, {edge}).size() == 2);
    CHECK(graph.mark(graph.skeleton().slot(0, 1)) == MixedGraph::Mark::kOut);
  }

  {  // One edge directs the whole path, and undoing what was returned restores it.
    EdgeList path;
    for (Node node = 0; node < 99; ++node) path.add(node, node + 1);
    MixedGraph graph(100, {}, path.view());
    const std::size_t first = graph.skeleton().slot(0, 1);
    graph.orient(first);
    const std::vector<std::size_t> oriented = close_under_meek(graph, {first});
    CHECK(oriented.size() == 99);
    CHECK(graph.mark(graph.skeleton().slot(98, 99)) == MixedGraph::Mark::kOut);
    CHECK(graph.mark(graph.skeleton().slot(99, 98)) == MixedGraph::Mark::kIn);
    for (const std::size_t slot : oriented) graph.unorient(slot);
    for (Node node = 0; node < 99; ++node) CHECK(graph.undirected(node, node + 1));
  }
  return 0;
}
