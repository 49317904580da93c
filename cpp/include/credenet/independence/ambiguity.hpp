#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "credenet/independence/separating_sets.hpp"

namespace credenet {

// Decides which edges go when removals rely on each other. A set S separates x and y by the edges
// of its members with x and y: they carry the information between the two. So x - y given z and
// z - y given x must not both go, though each test is right where x and z tell the same about y,
// as they do if one (nearly) determines the other, or if the rows are few. Such edges are ambiguous
// (Steck 2001, who leaves the choice to the user). Here sets are read with the surest independence
// first, and one is refused if the edge of a member with one end has gone by a set that holds the
// other end; so are, for the same edge, sets that contain it.
//
// With true answers the skeleton stays right. All sets that are not refused are minimal, so they
// hold ancestors of their ends only. If y is no ancestor of x, the parents of y separate the two. A
// parent's edge with y stands, and its edge with x has not gone by a set with y, which is an
// ancestor of neither. So neither this set nor any part of it is refused.
class Ambiguity {
 public:
  explicit Ambiguity(SeparatingSets& separating) : separating_(separating) {}

  // A set that was found to separate an edge, which the caller knows by a number. `marginal` is the
  // association of the edge given nothing: of two sets that are as sure, that of the weaker edge
  // comes first, then the one that was added first.
  void add(std::size_t edge, Node x, Node y, std::span<const Node> given, double association,
           double marginal);

  // The edges that go, surest first, of all that were added since the last time; their sets are
  // recorded.
  [[nodiscard]] std::vector<std::size_t> settle();

 private:
  struct Found {
    std::size_t edge = 0;
    Node x = 0;
    Node y = 0;
    std::vector<Node> given;
    double association = 0;
    // Association, rounded because equal information in other tables differs in the last digits.
    float rank = 0;
    float marginal = 0;
  };

  [[nodiscard]] bool refuses(const Found& found);

  SeparatingSets& separating_;
  std::vector<Found> found_;
  // Refused sets of each edge.
  std::unordered_map<std::uint64_t, std::vector<std::vector<Node>>> refused_;
};

}  // namespace credenet
