#include "credenet/independence/orientation.hpp"

#include <algorithm>
#include <set>

#include "check.hpp"
#include "credenet/graphs/cpdag.hpp"
#include "credenet/graphs/extension.hpp"
#include "credenet/graphs/mixed_graph.hpp"
#include "graphs/random_graphs.hpp"
#include "stop_at.hpp"

using namespace credenet;

namespace {

using Pairs = std::vector<std::array<Node, 2>>;
using Kind = Conflict::Kind;

struct Split {
  EdgeList directed;
  EdgeList undirected;
  explicit Split(const Orientation& found) {
    for (const auto& [tail, head] : found.directed) directed.add(tail, head);
    for (const auto& [a, b] : found.undirected) undirected.add(a, b);
  }
};

bool extends(std::size_t n_nodes, const Orientation& found) {
  const Split split(found);
  return extension_order({n_nodes, split.directed.view(), split.undirected.view()}).has_value();
}

Pairs sorted(Pairs pairs) {
  std::ranges::sort(pairs);
  return pairs;
}

// Checks that with the true colliders the class of the DAG comes back.
void check_truth(Random& random) {
  NoControl control;
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_nodes = 1 + random.below(12);
    const EdgeList dag = random_dag(n_nodes, 0.35, random);
    const Digraph graph(n_nodes, dag.view());
    const Adjacency skeleton = Adjacency::symmetric(n_nodes, std::array{dag.view()});
    std::vector<Collider> colliders;
    for (const auto& [a, child, b] : unshielded_colliders(graph.parents, skeleton)) {
      colliders.push_back({a, child, b, random.uniform()});
    }
    Pairs edges;
    Pairs directed;
    Pairs undirected;
    const auto compelled = compelled_edges(n_nodes, dag.view());
    for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
      const auto [low, high] = std::minmax(dag.from[edge], dag.to[edge]);
      edges.push_back({low, high});
      if (compelled[edge] != 0) {
        directed.push_back({dag.from[edge], dag.to[edge]});
      } else {
        undirected.push_back({low, high});
      }
    }
    const Orientation found =
        orient_skeleton(n_nodes, edges, colliders, ArcRules(n_nodes), control);
    CHECK(found.conflicts.empty());
    CHECK(sorted(found.directed) == sorted(directed));
    CHECK(sorted(found.undirected) == sorted(undirected));
  }
}

// Checks any colliders and rules: the graph extends, keeps its skeleton but for edges reported, and
// obeys, wherever it is stopped.
void check_anything(Random& random) {
  std::size_t n_stopped = 0;
  std::array<std::size_t, 4> kinds{};
  for (int round = 0; round < 4000; ++round) {
    const bool may_stop = round % 2 == 1;
    StopAt control(may_stop ? 1 + static_cast<int>(random.below(20)) : 1'000'000);
    const std::size_t n_nodes = 2 + random.below(7);
    ArcRules rules(n_nodes);
    Pairs edges;
    for (Node a = 0; a < static_cast<Node>(n_nodes); ++a) {
      for (Node b = a + 1; b < static_cast<Node>(n_nodes); ++b) {
        const auto drawn = random.below(12);
        if (drawn == 0) rules.set(a, b, ArcRule::kForbidden);
        if (drawn == 1) rules.set(b, a, ArcRule::kForbidden);
        if (drawn == 2) {  // Required arcs go along the order, so they make no cycle.
          rules.set(a, b, ArcRule::kRequired);
          rules.set(b, a, ArcRule::kForbidden);
        }
        if (drawn == 2 || random.uniform() < 0.5) edges.push_back({a, b});
      }
    }
    EdgeList list;
    for (const auto& [a, b] : edges) list.add(a, b);
    const Adjacency skeleton = Adjacency::symmetric(n_nodes, std::array{list.view()});
    std::vector<Collider> colliders;
    for (Node child = 0; child < static_cast<Node>(n_nodes); ++child) {
      for (const Node a : skeleton[child]) {
        for (const Node b : skeleton[child]) {
          if (a < b && !skeleton.contains(a, b) && random.uniform() < 0.5) {
            colliders.push_back({a, child, b, random.uniform()});
          }
        }
      }
    }
    const Orientation found = orient_skeleton(n_nodes, edges, colliders, rules, control);
    CHECK(extends(n_nodes, found));
    CHECK(may_stop || found.complete);
    n_stopped += found.complete ? 0 : 1;
    Pairs kept;
    for (const auto& [tail, head] : found.directed) {
      CHECK(rules.allows(tail, head));
      kept.push_back({std::min(tail, head), std::max(tail, head)});
    }
    for (const auto& [a, b] : found.undirected) {
      CHECK(rules.allows(a, b) && rules.allows(b, a));
      kept.push_back({a, b});
    }
    for (const Conflict& conflict : found.conflicts) {
      ++kinds[static_cast<std::size_t>(conflict.kind)];
      CHECK(found.complete || conflict.kind == Kind::kNoArc);
      if (conflict.kind != Kind::kNoArc) continue;
      CHECK(!rules.must_join(conflict.a, conflict.b));
      kept.push_back({conflict.a, conflict.b});
    }
    CHECK(sorted(kept) == sorted(edges));
  }
  CHECK(n_stopped > 500 && n_stopped < 2000);
  for (const std::size_t n : kinds) CHECK(n > 0);
}

void check_order_of_colliders() {
  NoControl control;
  // In 0 - 1 - 2 - 3 both cannot be colliders; the surer is kept.
  const Pairs edges{{0, 1}, {1, 2}, {2, 3}};
  const std::vector<Collider> colliders{{0, 1, 2, 0.5}, {1, 2, 3, 0.1}};
  const Orientation found = orient_skeleton(4, edges, colliders, ArcRules(4), control);
  CHECK((sorted(found.directed) == Pairs{{1, 2}, {3, 2}}));
  CHECK((found.undirected == Pairs{{0, 1}}));
  CHECK(found.conflicts.size() == 1 && found.conflicts[0].kind == Kind::kOpposed);
  CHECK(found.conflicts[0].child == 1);
}

void check_listed() {
  NoControl control;
  EdgeList list;  // The edges are 0 - 1 - 2 and 1 - 3; 0 and 2 are separated by 3, 0 and 3 by 1.
  list.add(0, 1);
  list.add(1, 2);
  list.add(1, 3);
  const Adjacency skeleton = Adjacency::symmetric(4, std::array{list.view()});
  SeparatingSets separating(4);
  const std::vector<Node> one{1};
  const std::vector<Node> three{3};
  separating.record(2, 0, three, 0.25);
  separating.record(0, 3, one, 0.5);
  const auto found = listed_colliders(skeleton, separating, control);
  CHECK(found.size() == 1);  // Nothing is known of 2 and 3.
  CHECK(found[0].a == 0 && found[0].child == 1 && found[0].b == 2 && found[0].association == 0.25);
}

}  // namespace

int main() {
  Random random(11);
  check_truth(random);
  check_anything(random);
  check_order_of_colliders();
  check_listed();
  return 0;
}
