#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

enum class ArcRule : std::uint8_t { kForbidden, kAllowed, kRequired };

// The rule for every possible arc. Arcs that are required make no cycle, and their reverses are
// forbidden.
class ArcRules {
 public:
  explicit ArcRules(std::size_t n_nodes)
      : n_nodes_(n_nodes), rules_(n_nodes * n_nodes, ArcRule::kAllowed) {}
  // A matrix of rules as numbers, tails by rows.
  ArcRules(std::size_t n_nodes, std::span<const std::uint8_t> matrix) : n_nodes_(n_nodes) {
    assert(matrix.size() == n_nodes * n_nodes);
    for (const std::uint8_t rule : matrix) rules_.push_back(static_cast<ArcRule>(rule));
  }

  void set(Node tail, Node head, ArcRule rule) { rules_[at(tail, head)] = rule; }

  [[nodiscard]] std::size_t n_nodes() const { return n_nodes_; }
  [[nodiscard]] bool allows(Node tail, Node head) const {
    return rules_[at(tail, head)] != ArcRule::kForbidden;
  }
  [[nodiscard]] bool requires_arc(Node tail, Node head) const {
    return rules_[at(tail, head)] == ArcRule::kRequired;
  }
  // Whether two nodes may, or have to, be adjacent.
  [[nodiscard]] bool may_join(Node a, Node b) const { return allows(a, b) || allows(b, a); }
  [[nodiscard]] bool must_join(Node a, Node b) const {
    return requires_arc(a, b) || requires_arc(b, a);
  }

 private:
  [[nodiscard]] std::size_t at(Node tail, Node head) const {
    return static_cast<std::size_t>(tail) * n_nodes_ + static_cast<std::size_t>(head);
  }

  std::size_t n_nodes_;
  std::vector<ArcRule> rules_;
};

}  // namespace credenet
