#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/independence/arc_rules.hpp"
#include "credenet/independence/separating_sets.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// A collider a -> child <- b with a and b not adjacent, a < b, as the tests have it; the less
// association they left between a and b, the surer.
struct Collider {
  Node a = 0;
  Node child = 0;
  Node b = 0;
  double association = 0;
};

struct Conflict {
  enum class Kind : std::uint8_t {
    kOpposed,   // A collider that was given up because an edge of it is directed the other way.
    kCycle,     // A collider that was given up because it would close a cycle.
    kUnlisted,  // A collider of the result that the tests deny: no graph has only those they list.
    // An edge (a, b) that was given up because what is known allows it in neither direction.
    kNoArc,
  };
  Kind kind = Kind::kOpposed;
  Node a = 0;
  Node child = 0;  // Child of the collider; b for kNoArc.
  Node b = 0;
};

struct Orientation {
  std::vector<std::array<Node, 2>> directed;    // Tail and head of each edge.
  std::vector<std::array<Node, 2>> undirected;  // Ends of each edge, the smaller one first.
  std::vector<Conflict> conflicts;
  bool complete = true;
};

// The unshielded triples of a skeleton whose middle is in no separating set of its ends; ordered by
// child, a, b. Ends without a recorded set make none. Stopped early, it has those of some children.
[[nodiscard]] std::vector<Collider> listed_colliders(const Adjacency& skeleton,
                                                     const SeparatingSets& separating,
                                                     Control& control);

// Directs the edges of a skeleton: first by what is known, then by the colliders, surest first,
// leaving out those that contradict what is directed already; then by Meek's rules. The result
// always has a consistent extension and obeys the rules; where no graph has just these colliders,
// some are added. If it is stopped, the remaining colliders are left out, any may be added, and
// only edges that were given up are reported: the result is not complete then, and a dense graph,
// as before most tests, has millions of colliders that mean nothing.
[[nodiscard]] Orientation orient_skeleton(std::size_t n_nodes,
                                          std::span<const std::array<Node, 2>> edges,
                                          std::vector<Collider> colliders, const ArcRules& rules,
                                          Control& control);

}  // namespace credenet
