#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credenet {

using Node = std::int32_t;

// Edge e goes from[e] -> to[e]; for undirected edges the ends are in either order.
struct Edges {
  std::span<const Node> from;
  std::span<const Node> to;

  [[nodiscard]] std::size_t size() const { return from.size(); }
};

// For every node an ascending list of nodes, all in one array. A place in that array is a slot.
class Adjacency {
 public:
  static constexpr std::size_t kNoSlot = ~std::size_t{0};

  // Lists heads[e] under tails[e] for every e.
  Adjacency(std::size_t n_nodes, std::span<const Node> tails, std::span<const Node> heads);

  // Lists both ends of every edge under the other.
  static Adjacency symmetric(std::size_t n_nodes, std::span<const Edges> parts);

  [[nodiscard]] std::size_t n_nodes() const { return offsets_.size() - 1; }
  [[nodiscard]] std::size_t n_slots() const { return targets_.size(); }
  [[nodiscard]] std::size_t begin_slot(Node node) const { return offsets_[node]; }
  [[nodiscard]] std::size_t end_slot(Node node) const { return offsets_[node + 1]; }
  [[nodiscard]] Node target(std::size_t slot) const { return targets_[slot]; }
  [[nodiscard]] std::span<const Node> operator[](Node node) const {
    return std::span(targets_).subspan(offsets_[node], offsets_[node + 1] - offsets_[node]);
  }

  // The slot of other in the list of node, or kNoSlot. Logarithmic in the length of the list.
  [[nodiscard]] std::size_t slot(Node node, Node other) const;
  [[nodiscard]] bool contains(Node node, Node other) const { return slot(node, other) != kNoSlot; }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<Node> targets_;
};

struct Digraph {
  Adjacency parents;
  Adjacency children;

  Digraph(std::size_t n_nodes, Edges edges)
      : parents(n_nodes, edges.to, edges.from), children(n_nodes, edges.from, edges.to) {}

  [[nodiscard]] std::size_t n_nodes() const { return parents.n_nodes(); }
};

}  // namespace credenet
