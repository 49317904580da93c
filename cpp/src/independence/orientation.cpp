// From a skeleton and its colliders to a graph that extends to a DAG. Tests on data contradict each
// other, so a collider is accepted only if it keeps the directed part without cycles and turns no
// edge back. A DAG with that skeleton and directed part then exists: nodes without outgoing edges
// are removed one by one, by the rule of Dor and Tarsi as long as one qualifies, and else one that
// makes the fewest new colliders. The answer is the class of that DAG, given what is known: its
// colliders and the arcs known before, closed under Meek's rules. Where an extension exists this is
// what Meek's rules make of the colliders themselves.
#include "credenet/independence/orientation.hpp"

#include <algorithm>
#include <tuple>

#include "credenet/graphs/cpdag.hpp"
#include "credenet/graphs/extension.hpp"
#include "credenet/graphs/meek.hpp"
#include "credenet/graphs/mixed_graph.hpp"
#include "credenet/graphs/reachability.hpp"
#include "credenet/graphs/topological_order.hpp"

namespace credenet {
namespace {

using Kind = Conflict::Kind;
using Mark = MixedGraph::Mark;

struct Arcs {
  std::vector<Node> from;
  std::vector<Node> to;

  void add(Node tail, Node head) {
    from.push_back(tail);
    to.push_back(head);
  }
  [[nodiscard]] Edges view() const { return {from, to}; }
};

// Edges with the directions that what is known leaves them.
struct Known {
  Arcs directed;
  Arcs undirected;
};

Known known_directions(std::size_t n_nodes, std::span<const std::array<Node, 2>> edges,
                       const ArcRules& rules, std::vector<Conflict>& conflicts) {
  Known known;
  Arcs forced;
  for (const auto& [a, b] : edges) {
    if (rules.requires_arc(a, b)) {
      known.directed.add(a, b);
    } else if (rules.requires_arc(b, a)) {
      known.directed.add(b, a);
    } else if (rules.allows(a, b) && rules.allows(b, a)) {
      known.undirected.add(a, b);
    } else if (rules.may_join(a, b)) {
      rules.allows(a, b) ? forced.add(a, b) : forced.add(b, a);
    }
  }
  Arcs all = known.directed;
  for (std::size_t edge = 0; edge < forced.from.size(); ++edge) {
    all.add(forced.from[edge], forced.to[edge]);
  }
  if (topological_order(Digraph(n_nodes, all.view())).size() == n_nodes) {
    known.directed = std::move(all);
    return known;
  }
  for (std::size_t edge = 0; edge < forced.from.size(); ++edge) {
    const Node tail = forced.from[edge];
    const Node head = forced.to[edge];
    const Adjacency children(n_nodes, known.directed.from, known.directed.to);
    if (reachable(children, std::span(&head, 1))[static_cast<std::size_t>(tail)] != 0) {
      conflicts.push_back(
          {Kind::kNoArc, std::min(tail, head), std::max(tail, head), std::max(tail, head)});
    } else {
      known.directed.add(tail, head);
    }
  }
  return known;
}

class ColliderMaker {
 public:
  explicit ColliderMaker(MixedGraph& graph) : graph_(graph), seen_(graph.n_nodes(), 0) {}

  // Directs both edges unless one is directed the other way or a cycle would close.
  [[nodiscard]] std::optional<Kind> make(const Collider& collider) {
    const Adjacency& lists = graph_.skeleton();
    const std::array slots{lists.slot(collider.a, collider.child),
                           lists.slot(collider.b, collider.child)};
    for (const std::size_t slot : slots) {
      if (graph_.mark(slot) == Mark::kIn) return Kind::kOpposed;
    }
    if (leads_to(collider.child, collider.a, collider.b)) return Kind::kCycle;
    for (const std::size_t slot : slots) graph_.orient(slot);
    return std::nullopt;
  }

 private:
  // Whether a directed path goes from a node to one of two others.
  [[nodiscard]] bool leads_to(Node from, Node a, Node b) {
    const Adjacency& lists = graph_.skeleton();
    ++round_;
    pending_.assign(1, from);
    while (!pending_.empty()) {
      const Node node = pending_.back();
      pending_.pop_back();
      if (node == a || node == b) return true;
      for (std::size_t slot = lists.begin_slot(node); slot < lists.end_slot(node); ++slot) {
        const Node next = lists.target(slot);
        if (graph_.mark(slot) != Mark::kOut || seen_[static_cast<std::size_t>(next)] == round_) {
          continue;
        }
        seen_[static_cast<std::size_t>(next)] = round_;
        pending_.push_back(next);
      }
    }
    return false;
  }

  MixedGraph& graph_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t round_ = 0;
  std::vector<Node> pending_;
};

// The arcs of a DAG that directs what is undirected towards the end that comes first in the order.
Arcs extended(const MixedGraph& graph, std::span<const Node> order) {
  std::vector<std::size_t> place(graph.n_nodes());
  for (std::size_t at = 0; at < order.size(); ++at) place[static_cast<std::size_t>(order[at])] = at;
  Arcs arcs;
  const Adjacency& lists = graph.skeleton();
  for (Node node = 0; node < static_cast<Node>(graph.n_nodes()); ++node) {
    for (std::size_t slot = lists.begin_slot(node); slot < lists.end_slot(node); ++slot) {
      const Node other = lists.target(slot);
      const bool is_tail =
          place[static_cast<std::size_t>(other)] < place[static_cast<std::size_t>(node)];
      if (graph.mark(slot) == Mark::kOut || (graph.is_undirected(slot) && is_tail)) {
        arcs.add(node, other);
      }
    }
  }
  return arcs;
}

auto place_of(const Collider& collider) {
  return std::tuple(collider.child, collider.a, collider.b);
}

}  // namespace

std::vector<Collider> listed_colliders(const Adjacency& skeleton, const SeparatingSets& separating,
                                       Control& control) {
  std::vector<Collider> colliders;
  const std::size_t n_nodes = skeleton.n_nodes();
  for (Node child = 0; child < static_cast<Node>(n_nodes); ++child) {
    const std::span<const Node> ends = skeleton[child];
    for (std::size_t first = 0; first < ends.size(); ++first) {
      if (!control.poll({.done = static_cast<std::uint64_t>(child), .total = n_nodes})) {
        return colliders;
      }
      for (std::size_t second = first + 1; second < ends.size(); ++second) {
        const Node a = ends[first];
        const Node b = ends[second];
        if (skeleton.contains(a, b) || !separating.find(a, b)) continue;
        if (!separating.separates(a, b, child)) {
          colliders.push_back({a, child, b, separating.association(a, b)});
        }
      }
    }
  }
  return colliders;
}

Orientation orient_skeleton(std::size_t n_nodes, std::span<const std::array<Node, 2>> edges,
                            std::vector<Collider> colliders, const ArcRules& rules,
                            Control& control) {
  Orientation result;
  const Known known = known_directions(n_nodes, edges, rules, result.conflicts);
  MixedGraph graph(n_nodes, known.directed.view(), known.undirected.view());
  const auto goes_on = [&](std::size_t n_done) {
    result.complete = result.complete && control.poll({.done = n_done, .total = colliders.size()});
    return result.complete;
  };
  if (!goes_on(0)) colliders.clear();
  std::ranges::sort(colliders, {}, place_of);
  std::ranges::stable_sort(colliders, {}, &Collider::association);
  ColliderMaker maker(graph);
  for (std::size_t at = 0; at < colliders.size() && goes_on(at); ++at) {
    const Collider& collider = colliders[at];
    // An edge of the triple may have been given up.
    if (!graph.adjacent(collider.a, collider.child) ||
        !graph.adjacent(collider.b, collider.child)) {
      continue;
    }
    if (const auto kind = maker.make(collider)) {
      result.conflicts.push_back({*kind, collider.a, collider.child, collider.b});
    }
  }

  const Arcs dag = extended(graph, nearest_extension_order(graph, control));
  MixedGraph pattern(n_nodes, known.directed.view(), known.undirected.view());
  const Adjacency& lists = pattern.skeleton();
  if (goes_on(colliders.size())) {
    std::ranges::sort(colliders, {}, place_of);
    for (const auto& [a, child, b] :
         unshielded_colliders(Adjacency(n_nodes, dag.to, dag.from), lists)) {
      for (const Node parent : {a, b}) pattern.orient(lists.slot(parent, child));
      if (!std::ranges::binary_search(colliders, std::tuple(child, a, b), {}, place_of)) {
        result.conflicts.push_back({Kind::kUnlisted, a, child, b});
      }
    }
    close_under_meek(pattern);
    // These are the same arcs, but for arcs that follow from known ones, in time for dense graphs.
  } else {
    const auto compelled = compelled_edges(n_nodes, dag.view());
    for (std::size_t edge = 0; edge < compelled.size(); ++edge) {
      if (compelled[edge] != 0) pattern.orient(lists.slot(dag.from[edge], dag.to[edge]));
    }
    std::erase_if(result.conflicts,
                  [](const Conflict& conflict) { return conflict.kind != Kind::kNoArc; });
  }
  for (Node node = 0; node < static_cast<Node>(n_nodes); ++node) {
    for (const Node head : pattern.marked(node, Mark::kOut))
      result.directed.push_back({node, head});
    for (const Node other : pattern.marked(node, Mark::kUndirected)) {
      if (node < other) result.undirected.push_back({node, other});
    }
  }
  return result;
}

}  // namespace credenet
