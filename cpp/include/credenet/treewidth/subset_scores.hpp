#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// The best score of each variable for every set of available parents, of few variables. The lists
// must live as long.
class SubsetScores {
 public:
  explicit SubsetScores(const FamilyLists& lists)
      : lists_(lists),
        n_(lists.n_variables()),
        scores_(n_ << n_, -std::numeric_limits<double>::infinity()) {
    for (std::size_t v = 0; v < n_; ++v) {
      double* scores = scores_.data() + (v << n_);
      for (std::size_t family = lists.end(v); family-- > lists.begin(v);) {
        scores[set_of(family)] = lists.scores[family];
      }
      for (std::uint32_t parent = 1; parent >> n_ == 0; parent <<= 1) {
        for (std::uint32_t set = 0; set >> n_ == 0; ++set) {
          if ((set & parent) != 0) scores[set] = std::max(scores[set], scores[set ^ parent]);
        }
      }
    }
  }

  [[nodiscard]] static std::size_t bytes(std::size_t n_variables) {
    return (n_variables << n_variables) * sizeof(double);
  }

  // The best score of a variable; minus infinity if none of its families is within the available
  // parents.
  [[nodiscard]] double score(std::size_t variable, std::uint32_t available) const {
    return scores_[(variable << n_) + available];
  }

  // The family with that score, as a position in the list; there must be one.
  [[nodiscard]] std::int32_t family(std::size_t variable, std::uint32_t available) const {
    std::size_t family = lists_.begin(variable);
    while ((set_of(family) & ~available) != 0) ++family;
    return static_cast<std::int32_t>(family - lists_.begin(variable));
  }

 private:
  [[nodiscard]] std::uint32_t set_of(std::size_t family) const {
    std::uint32_t set = 0;
    for (const std::int32_t parent : lists_.parents_of(family)) set |= std::uint32_t{1} << parent;
    return set;
  }

  FamilyLists lists_;
  std::size_t n_;
  std::vector<double> scores_;
};

}  // namespace credenet
