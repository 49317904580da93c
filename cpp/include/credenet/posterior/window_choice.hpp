#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/posterior/family_weights.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Chooses the variables of windows. Which ones does not depend on the DAG.
//
// A window begins with one variable and grows by neighbours of those it has: variables that are
// candidate parents or children of each other. In half of the windows all neighbours are alike. In
// the others a neighbour is drawn in proportion to the probability of an edge between the two if
// nothing else were known, so that the window is a group of variables that matter to each other.
class WindowChoice {
 public:
  explicit WindowChoice(const FamilyWeights& weights);

  [[nodiscard]] std::size_t n_variables() const { return near_.size(); }
  // Writes the members of a window of at most the given number, which begins with the first.
  void choose(std::size_t first, std::size_t n_members, Random& random,
              std::vector<std::uint32_t>& members) const;

 private:
  struct Neighbour {
    std::uint32_t variable = 0;
    double sum = 0;  // Of the weights up to this one.
  };

  // One of some neighbours in proportion to their weights.
  [[nodiscard]] static const Neighbour& draw(const std::vector<Neighbour>& near, Random& random);

  std::vector<std::vector<Neighbour>> near_;
};

}  // namespace credenet
