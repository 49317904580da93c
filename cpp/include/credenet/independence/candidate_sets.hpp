#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/independence/node_bits.hpp"

namespace credenet {

// The sets that may separate two variables: subsets of the neighbours of one or of the other, all
// of one size, each set once. Sets from the two sides alternate, and those that come first in the
// lists of neighbours come first.
class CandidateSets {
 public:
  // Takes the neighbours of each variable in the order in which they are to be tried.
  explicit CandidateSets(std::vector<std::vector<Node>> lists);

  // A place in the row of sets of one pair.
  struct Cursor {
    Node x = 0;
    Node y = 0;
    std::uint8_t side = 0;        // The side that is next.
    std::array<bool, 2> ended{};  // Whether a side has no further sets.
    // Positions of the next set in each list.
    std::array<std::vector<std::uint32_t>, 2> positions{};
  };

  [[nodiscard]] Cursor start(Node x, Node y, std::size_t size) const;

  // Whether there is a set of this size.
  [[nodiscard]] bool has_sets(Node x, Node y, std::size_t size) const {
    return size == 0 || n_others(x, y) >= size || n_others(y, x) >= size;
  }

  // Appends the members of the next set in ascending order; false if there is none.
  [[nodiscard]] bool next(Cursor& cursor, std::vector<Node>& members) const;

 private:
  // The neighbours of a variable but for one.
  [[nodiscard]] std::size_t n_others(Node owner, Node other) const {
    return lists_[static_cast<std::size_t>(owner)].size() -
           (members_.contains(owner, other) ? 1 : 0);
  }
  [[nodiscard]] bool next_of(Cursor& cursor, std::size_t side, std::vector<Node>& members) const;

  std::vector<std::vector<Node>> lists_;
  NodeBits members_;
};

}  // namespace credenet
