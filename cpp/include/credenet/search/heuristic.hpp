#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "credenet/search/component_lists.hpp"

namespace credenet {

// An upper bound on what the variables still to be placed can add, given those placed.
class Heuristic {
 public:
  virtual ~Heuristic() = default;
  [[nodiscard]] virtual double operator()(std::uint64_t placed) const = 0;
};

// Every variable still to be placed has its best family: acyclicity is given up.
class SimpleHeuristic final : public Heuristic {
 public:
  explicit SimpleHeuristic(const ComponentLists& lists) {
    for (std::size_t variable = 0; variable < lists.n_variables(); ++variable) {
      best_.push_back(lists.size(variable) == 0 ? -std::numeric_limits<double>::infinity()
                                                : lists.scores(variable)[0]);
    }
  }

  [[nodiscard]] double operator()(std::uint64_t placed) const override {
    double sum = 0;
    for (std::size_t variable = 0; variable < best_.size(); ++variable) {
      if ((placed >> variable & 1) == 0) sum += best_[variable];
    }
    return sum;
  }

 private:
  std::vector<double> best_;
};

}  // namespace credenet
