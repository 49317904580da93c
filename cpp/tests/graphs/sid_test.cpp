#include "credenet/graphs/sid.hpp"

#include "check.hpp"
#include "credenet/graphs/cpdag.hpp"
#include "credenet/graphs/sid_bounds.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;

namespace {

std::int64_t distance(std::size_t n_nodes, const EdgeList& truth, const EdgeList& learned,
                      unsigned n_threads = 1) {
  NoControl control;
  return sid({n_nodes, truth.view()}, {n_nodes, learned.view()}, n_threads, control);
}

}  // namespace

int main() {
  // This is an example of Peters and Buehlmann (2015): h1 has an edge too many, h2 one turned
  // round.
  {
    const EdgeList g{{0, 0, 0, 0, 1, 1, 1}, {1, 2, 3, 4, 2, 3, 4}};
    EdgeList h1 = g;
    h1.add(2, 3);
    EdgeList h2 = g;
    h2.from[0] = 1;
    h2.to[0] = 0;
    CHECK(distance(5, g, h1) == 0);
    CHECK(distance(5, g, h2) == 8);
  }
  {  // Adjusting for nothing is wrong for every ancestor.
    const EdgeList chain{{0, 1}, {1, 2}};
    CHECK(distance(3, chain, {}) == 3);
    CHECK(distance(3, {}, chain) == 0);
  }

  NoControl control;
  Random random(6);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n_nodes = 2 + random.below(40);
    const EdgeList truth = random_dag(n_nodes, 0.15, random);
    const EdgeList learned = random_dag(n_nodes, 0.15, random);
    CHECK(distance(n_nodes, truth, truth) == 0);
    const std::int64_t direct = distance(n_nodes, truth, learned);
    CHECK(direct == distance(n_nodes, truth, learned, 4));
    CHECK(direct <= static_cast<std::int64_t>(n_nodes * (n_nodes - 1)));

    EdgeList directed;
    EdgeList undirected;
    const auto compelled = compelled_edges(n_nodes, learned.view());
    for (std::size_t edge = 0; edge < compelled.size(); ++edge) {
      (compelled[edge] != 0 ? directed : undirected).add(learned.from[edge], learned.to[edge]);
    }
    const MixedGraph whole_class(n_nodes, directed.view(), undirected.view());
    const Digraph true_graph(n_nodes, truth.view());
    const SidBounds exact = sid_bounds(true_graph, whole_class, 100000, 1, control);
    const SidBounds threaded = sid_bounds(true_graph, whole_class, 100000, 3, control);
    const SidBounds outer = sid_bounds(true_graph, whole_class, 0, 1, control);
    CHECK(exact.exact);
    CHECK(exact.low <= direct && direct <= exact.high);
    CHECK(exact.low == threaded.low && exact.high == threaded.high);
    CHECK(outer.low <= exact.low && exact.high <= outer.high);
    CHECK(outer.exact == undirected.from.empty());
  }
  return 0;
}
