// Closure under Meek's rules (Meek 1995), which orient the edge x - y as x -> y where
//   R1  w -> x, w and y not adjacent
//   R2  x -> w -> y
//   R3  x - v -> y, x - w -> y, v and w not adjacent
//   R4  x - v -> w -> y, x adjacent to w, v and y not adjacent
// because the other way would make a new unshielded collider or a cycle. What a rule asks for
// besides the skeleton are directed edges, which only grow in number, and undirected ones, which
// only shrink. So a rule can become applicable only through an edge a -> b newly directed, in one
// of its places; each such edge is examined once, at a cost of about the square of the degrees
// around it. In R4 this need not be w -> y: by R1 it is directed when v -> w is examined, if not
// before.
#include "credenet/graphs/meek.hpp"

namespace credenet {
namespace {

class Closure {
 public:
  Closure(MixedGraph& graph, std::vector<std::size_t> oriented)
      : graph_(graph), lists_(graph.skeleton()), oriented_(std::move(oriented)) {}

  std::vector<std::size_t> run() {
    for (std::size_t next = 0; next < oriented_.size(); ++next) {
      const std::size_t slot = oriented_[next];
      propagate(graph_.owner(slot), lists_.target(slot));
    }
    return std::move(oriented_);
  }

 private:
  using Mark = MixedGraph::Mark;

  void orient(std::size_t slot) {
    graph_.orient(slot);
    oriented_.push_back(slot);
  }

  void orient_if_undirected(Node x, Node y) {
    const std::size_t slot = lists_.slot(x, y);
    if (slot != Adjacency::kNoSlot && graph_.is_undirected(slot)) orient(slot);
  }

  template <typename Visit>
  void for_each(Node node, Mark mark, Visit&& visit) {
    for (std::size_t slot = lists_.begin_slot(node); slot < lists_.end_slot(node); ++slot) {
      if (graph_.mark(slot) == mark) visit(lists_.target(slot), slot);
    }
  }

  void propagate(Node a, Node b) {
    // Rule R1 with a -> b as w -> x.
    for_each(b, Mark::kUndirected, [&](Node y, std::size_t slot) {
      if (!graph_.adjacent(a, y)) orient(slot);
    });
    // Rule R2 with a -> b as x -> w.
    for_each(b, Mark::kOut, [&](Node y, std::size_t) { orient_if_undirected(a, y); });
    // Rule R2 with a -> b as w -> y.
    for_each(a, Mark::kIn, [&](Node x, std::size_t) { orient_if_undirected(x, b); });
    // Rule R3 with a -> b as v -> y.
    for_each(b, Mark::kUndirected, [&](Node x, std::size_t slot) {
      if (third_rule(x, a, b)) orient(graph_.twin(slot));
    });
    // Rule R4 with a -> b as v -> w.
    for_each(b, Mark::kOut, [&](Node y, std::size_t) {
      if (graph_.adjacent(a, y)) return;
      for_each(y, Mark::kUndirected, [&](Node x, std::size_t slot) {
        if (graph_.undirected(x, a) && graph_.adjacent(x, b)) orient(graph_.twin(slot));
      });
    });
  }

  // Whether rule R3 applies with a -> b as v -> y.
  bool third_rule(Node x, Node a, Node b) {
    if (!graph_.undirected(x, a)) return false;
    bool applies = false;
    for_each(b, Mark::kIn, [&](Node w, std::size_t) {
      applies = applies || (w != a && graph_.undirected(x, w) && !graph_.adjacent(a, w));
    });
    return applies;
  }

  MixedGraph& graph_;
  const Adjacency& lists_;
  std::vector<std::size_t> oriented_;
};

}  // namespace

std::vector<std::size_t> close_under_meek(MixedGraph& graph, std::vector<std::size_t> oriented) {
  return Closure(graph, std::move(oriented)).run();
}

void close_under_meek(MixedGraph& graph) {
  std::vector<std::size_t> directed;
  for (std::size_t slot = 0; slot < graph.skeleton().n_slots(); ++slot) {
    if (graph.mark(slot) == MixedGraph::Mark::kOut) directed.push_back(slot);
  }
  (void)close_under_meek(graph, std::move(directed));
}

}  // namespace credenet
