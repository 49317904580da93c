#pragma once

#include <cstdint>
#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// A graph with directed and undirected edges whose marks can change while the skeleton stays. Every
// edge has two slots, one at each end; the mark at a slot is seen from the end that owns it.
class MixedGraph {
 public:
  enum class Mark : std::uint8_t { kUndirected, kOut, kIn };

  // A pair of nodes carries at most one edge.
  MixedGraph(std::size_t n_nodes, Edges directed, Edges undirected);

  [[nodiscard]] const Adjacency& skeleton() const { return skeleton_; }
  [[nodiscard]] std::size_t n_nodes() const { return skeleton_.n_nodes(); }
  [[nodiscard]] bool adjacent(Node a, Node b) const { return skeleton_.contains(a, b); }

  [[nodiscard]] Mark mark(std::size_t slot) const { return marks_[slot]; }
  [[nodiscard]] bool is_undirected(std::size_t slot) const {
    return marks_[slot] == Mark::kUndirected;
  }
  [[nodiscard]] bool undirected(Node a, Node b) const {
    const std::size_t slot = skeleton_.slot(a, b);
    return slot != Adjacency::kNoSlot && is_undirected(slot);
  }
  // The mark of every edge at the end it goes from; the edges must be among the skeleton's.
  [[nodiscard]] std::vector<Mark> marks(Edges edges) const;
  [[nodiscard]] Node owner(std::size_t slot) const { return skeleton_.target(twins_[slot]); }

  // The other ends of the edges at node that carry the mark.
  [[nodiscard]] std::vector<Node> marked(Node node, Mark mark) const;

  // Directs the edge away from the owner of the slot.
  void orient(std::size_t slot) {
    marks_[slot] = Mark::kOut;
    marks_[twins_[slot]] = Mark::kIn;
  }
  void unorient(std::size_t slot) {
    marks_[slot] = Mark::kUndirected;
    marks_[twins_[slot]] = Mark::kUndirected;
  }
  [[nodiscard]] std::size_t twin(std::size_t slot) const { return twins_[slot]; }

 private:
  Adjacency skeleton_;
  std::vector<std::size_t> twins_;  // Slot of the same edge at its other end.
  std::vector<Mark> marks_;
};

}  // namespace credenet
