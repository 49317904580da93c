#pragma once

#include <cstddef>

#include "credenet/families/level_input.hpp"

namespace credenet {

// What levels cost if DenseLevels scores them, in rows visited and in bytes, and whether it can.
class DenseCosts {
 public:
  explicit DenseCosts(const LevelInput& input);

  // Whether the terms of the score and the rules are such that levels can be dense.
  [[nodiscard]] bool can_score() const;
  // Whether rules have a prior, for which each child needs a table more.
  [[nodiscard]] bool has_prior() const { return has_prior_; }
  // The number of all families with this many parents.
  [[nodiscard]] double n_families(std::size_t n_parents) const;
  // Estimated bytes for the open sets of this size.
  [[nodiscard]] double n_bytes(std::size_t size) const;
  // Whether the level with this many parents is better left to LargeSetScoring.
  [[nodiscard]] bool is_too_large(std::size_t n_parents) const;

 private:
  // The rows visited if all sets of the level with this many parents are counted.
  [[nodiscard]] double n_visited(std::size_t n_parents) const;

  LevelInput input_;
  bool has_prior_;
};

}  // namespace credenet
