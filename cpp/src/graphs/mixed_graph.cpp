#include "credenet/graphs/mixed_graph.hpp"

#include <array>
#include <cassert>

namespace credenet {

MixedGraph::MixedGraph(std::size_t n_nodes, Edges directed, Edges undirected)
    : skeleton_(Adjacency::symmetric(n_nodes, std::array{directed, undirected})),
      twins_(skeleton_.n_slots()),
      marks_(skeleton_.n_slots(), Mark::kUndirected) {
  // Nodes ascend, as the lists do, so each finds its twin where the one before it ended.
  std::vector<std::size_t> next(n_nodes);
  for (std::size_t node = 0; node < n_nodes; ++node) {
    next[node] = skeleton_.begin_slot(static_cast<Node>(node));
  }
  for (Node node = 0; node < static_cast<Node>(n_nodes); ++node) {
    for (std::size_t slot = skeleton_.begin_slot(node); slot < skeleton_.end_slot(node); ++slot) {
      assert(slot == skeleton_.begin_slot(node) ||
             skeleton_.target(slot) != skeleton_.target(slot - 1));
      twins_[slot] = next[static_cast<std::size_t>(skeleton_.target(slot))]++;
      assert(skeleton_.target(twins_[slot]) == node);
    }
  }
  for (std::size_t edge = 0; edge < directed.size(); ++edge) {
    orient(skeleton_.slot(directed.from[edge], directed.to[edge]));
  }
}

std::vector<MixedGraph::Mark> MixedGraph::marks(Edges edges) const {
  std::vector<Mark> found;
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    found.push_back(marks_[skeleton_.slot(edges.from[edge], edges.to[edge])]);
  }
  return found;
}

std::vector<Node> MixedGraph::marked(Node node, Mark mark) const {
  std::vector<Node> nodes;
  for (std::size_t slot = skeleton_.begin_slot(node); slot < skeleton_.end_slot(node); ++slot) {
    if (marks_[slot] == mark) nodes.push_back(skeleton_.target(slot));
  }
  return nodes;
}

}  // namespace credenet
