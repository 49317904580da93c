#include "credenet/graphs/cpdag.hpp"

#include <algorithm>
#include <stdexcept>

#include "check.hpp"
#include "credenet/graphs/extension.hpp"
#include "credenet/graphs/meek.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;

namespace {

// The compelled edges another way: arrows into unshielded colliders, closed under Meek's rules.
std::vector<std::uint8_t> compelled_by_rules(std::size_t n_nodes, const EdgeList& dag) {
  const Digraph graph(n_nodes, dag.view());
  const Adjacency skeleton = Adjacency::symmetric(n_nodes, std::array{dag.view()});
  EdgeList directed;
  EdgeList undirected;
  const auto colliders = unshielded_colliders(graph.parents, skeleton);
  for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
    const Node tail = dag.from[edge];
    const Node head = dag.to[edge];
    const bool fixed = std::ranges::any_of(colliders, [&](const auto& collider) {
      return collider[1] == head && (collider[0] == tail || collider[2] == tail);
    });
    (fixed ? directed : undirected).add(tail, head);
  }
  MixedGraph pattern(n_nodes, directed.view(), undirected.view());
  close_under_meek(pattern);
  std::vector<std::uint8_t> compelled;
  for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
    const std::size_t slot = pattern.skeleton().slot(dag.from[edge], dag.to[edge]);
    CHECK(pattern.mark(slot) != MixedGraph::Mark::kIn);
    compelled.push_back(pattern.mark(slot) == MixedGraph::Mark::kOut ? 1 : 0);
  }
  return compelled;
}

}  // namespace

int main() {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n_nodes = 2 + random.below(30);
    const EdgeList dag = random_dag(n_nodes, random.uniform(), random);
    const auto compelled = compelled_edges(n_nodes, dag.view());
    CHECK(compelled == compelled_by_rules(n_nodes, dag));

    EdgeList directed;  // An extension of the class is in it.
    EdgeList undirected;
    for (std::size_t edge = 0; edge < compelled.size(); ++edge) {
      (compelled[edge] != 0 ? directed : undirected).add(dag.from[edge], dag.to[edge]);
    }
    const auto order = extension_order({n_nodes, directed.view(), undirected.view()});
    CHECK(order.has_value());
    std::vector<std::size_t> rank(n_nodes);
    for (std::size_t place = 0; place < n_nodes; ++place) rank[(*order)[place]] = place;
    EdgeList member;
    for (std::size_t edge = 0; edge < compelled.size(); ++edge) {
      const Node tail = dag.from[edge];
      const Node head = dag.to[edge];
      const bool keep = compelled[edge] != 0 || rank[tail] > rank[head];
      member.add(keep ? tail : head, keep ? head : tail);
    }
    CHECK(compelled_edges(n_nodes, member.view()) == compelled);
  }

  {  // The moral graph joins the parents of 2, once.
    EdgeList dag;
    dag.add(0, 2);
    dag.add(1, 2);
    dag.add(0, 3);
    dag.add(1, 3);
    using Pairs = std::vector<std::array<Node, 2>>;
    CHECK((moral_edges({4, dag.view()}) == Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}));
  }
  {  // A directed cycle is refused.
    EdgeList cycle;
    cycle.add(0, 1);
    cycle.add(1, 0);
    CHECK_THROWS(compelled_edges(2, cycle.view()), std::invalid_argument);
  }
  return 0;
}
