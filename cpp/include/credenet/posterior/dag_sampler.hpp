#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/posterior/dag_sums.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Draws DAGs from the posterior, each independent of the others, from the forward sums.
//
// The sinks are removed one after another, always the first one in an order of the variables. Those
// before it in this order are no sinks, so each must be its parent or have another child. The
// weight of the DAGs of R in which no variable of O is a sink is the sum over I in O of (-1)^|I|
// f(R \ I) times the product over u in I of A_u(R \ I). A sink is drawn by such weights, and its
// parents by their own weight; they are kept with the probability that the rest obeys what is
// left of the demands. On average there are as many attempts as sinks.
//
// From sums over orders, the last variable of the order is drawn first, then the others.
class DagSampler {
 public:
  // The families of the lists that are not negligible; the sums are those of their weights.
  DagSampler(const DagSums& sums, const FamilyLists& lists);

  // Writes the family, by its place in the lists, of each variable.
  void draw(Random& random, std::span<std::int64_t> families);

 private:
  struct Family {
    std::uint32_t parents = 0;
    Scaled weight;
    std::int64_t place = 0;
  };

  // The weight of the DAGs of the set in which none of the demanding is a sink and, if a sink is
  // given, this variable is one.
  [[nodiscard]] Scaled weight(std::uint32_t set, std::uint32_t demanding) const;
  [[nodiscard]] Scaled weight_with_sink(std::uint32_t set, std::uint32_t demanding,
                                        std::size_t sink) const;
  [[nodiscard]] Scaled of_family(std::size_t variable, std::uint32_t set) const;
  [[nodiscard]] const Family& drawn_family(std::size_t variable, std::uint32_t within,
                                           Random& random) const;

  const DagSums& sums_;
  std::size_t n_;
  std::vector<std::vector<Family>> families_;  // of each variable, the heaviest first
  std::vector<std::size_t> order_;             // the most probable sinks first
};

}  // namespace credenet
