#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/local/local_scores.hpp"

namespace credenet {

// The gain of each change of a child's parents, for one set of parents.
struct ChildGains {
  // The number of additions that are sorted. Mostly a sorted addition is legal.
  static constexpr std::size_t kSorted = 32;

  std::vector<std::uint16_t> parents;
  double score = 0;           // Local score of the child.
  std::vector<double> gains;  // Gain of each candidate; -infinity if impossible.
  // The places of the best additions among the candidates, best first. Additions that gain nothing
  // and lose nothing are no moves.
  std::vector<std::uint16_t> best;
  bool has_more = false;  // Whether there are more additions than the sorted ones.

  void sort_additions(std::span<const std::uint16_t> candidates);
};

// The gains of the parent sets that a child had lately, as far as memory allows. A climb comes back
// to most of them.
class KnownGains {
 public:
  KnownGains(std::size_t n, std::size_t max_bytes);

  // The gains of a parent set; null if they are not known.
  [[nodiscard]] std::shared_ptr<const ChildGains> find(std::size_t child,
                                                       const std::vector<std::uint16_t>& parents);
  void add(std::size_t child, std::shared_ptr<const ChildGains> gains);

 private:
  std::size_t most_;  // Entries kept for a child.
  // Entries of each child, the last used first.
  std::vector<std::vector<std::shared_ptr<const ChildGains>>> known_;
};

}  // namespace credenet
