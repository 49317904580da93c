#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The part of the structural intervention distance that belongs to interventions on one node: given
// the true DAG, how many effects of the node come out wrong by adjusting for a set of supposed
// parents. Holds the working memory, so one object serves one thread.
class AdjustmentErrors {
 public:
  explicit AdjustmentErrors(const Digraph& truth);

  // The number of nodes j != node whose distribution under do(node) is not what adjusting for the
  // supposed parents gives. Linear in the graph.
  [[nodiscard]] std::int64_t count(Node node, std::span<const Node> supposed_parents);

 private:
  void mark_reachable(const Adjacency& lists, std::vector<std::uint8_t>& marks);
  void follow_open_trails(Node node);

  enum Entered : std::uint8_t { kFromChild = 1, kFromParent = 2, kCausally = 4 };
  struct Step {
    Node node;
    Entered entered;
  };

  const Digraph& truth_;
  std::vector<std::uint8_t> supposed_;  // 1 for nodes in the adjustment set.
  // 1 for nodes in the adjustment set and for their ancestors.
  std::vector<std::uint8_t> leads_to_set_;
  std::vector<std::uint8_t> descendants_;  // Descendants of the node, itself included.
  // 1 for nodes behind a descendant that is in the adjustment set or above it.
  std::vector<std::uint8_t> mediated_;
  // Ways in which a trail has come to each node, bits of Entered.
  std::vector<std::uint8_t> entered_;
  std::vector<Node> pending_;
  std::vector<Step> steps_;
};

// Structural intervention distance (Peters and Buehlmann 2015): over all ordered pairs (i, j) the
// number for which adjusting for the parents of i in the learned DAG gives a wrong p(j | do(i)) in
// the true one. -1 when stopped by the control.
[[nodiscard]] std::int64_t sid(const Digraph& truth, const Digraph& learned, unsigned n_threads,
                               Control& control);

}  // namespace credenet
