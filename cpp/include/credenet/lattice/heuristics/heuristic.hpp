#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "credenet/lattice/component_lists.hpp"

namespace credenet {

// An upper bound on what the variables still to be placed can add to the score, given those placed.
// It is consistent if h(U) >= score of v's best parents in U + h(U + v) for every v outside U: then
// no path can be found later that is better than the first by which A* leaves a set.
class Heuristic {
 public:
  virtual ~Heuristic() = default;
  [[nodiscard]] virtual double operator()(std::uint64_t placed) const = 0;
};

// Every variable still to be placed has its best family: acyclicity is relaxed. Consistent, since
// no family is better than the best. The sums are read from one table for each eight variables.
class SimpleHeuristic final : public Heuristic {
 public:
  explicit SimpleHeuristic(const ComponentLists& lists) : sums_((lists.n_variables() + 7) / 8) {
    for (std::size_t part = 0; part < sums_.size(); ++part) {
      for (std::size_t placed = 0; placed < kSets; ++placed) {
        double sum = 0;
        for (std::size_t bit = 0; bit < 8; ++bit) {
          const std::size_t variable = 8 * part + bit;
          if (variable >= lists.n_variables() || (placed >> bit & 1) != 0) continue;
          sum += lists.size(variable) == 0 ? -std::numeric_limits<double>::infinity()
                                           : lists.scores(variable)[0];
        }
        sums_[part][placed] = sum;
      }
    }
  }

  [[nodiscard]] double operator()(std::uint64_t placed) const override {
    double sum = 0;
    for (std::size_t part = 0; part < sums_.size(); ++part) {
      sum += sums_[part][placed >> (8 * part) & (kSets - 1)];
    }
    return sum;
  }

 private:
  static constexpr std::size_t kSets = 256;  // Sets of eight variables.
  std::vector<std::array<double, kSets>> sums_;
};

}  // namespace credenet
