#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/posterior/dag_sums.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Draws DAGs from the posterior, each independent of the others, from the forward sums (SinkDraws).
class DagSampler {
 public:
  // Takes the families that are not negligible; the sums must be those of the weights of the lists.
  DagSampler(const DagSums& sums, const FamilyLists& lists);

  // Writes the family, by its place in the lists, of each variable.
  void draw(Random& random, std::span<std::int64_t> families);

  // Types that SinkDraws needs.
  using Number = Scaled;
  struct Family {
    std::uint32_t parents = 0;
    Scaled weight;
    std::int64_t place = 0;
  };
  [[nodiscard]] Scaled forward(std::uint32_t set) const { return sums_.forward[set]; }
  [[nodiscard]] Scaled of_family(std::size_t variable, std::uint32_t set) const;
  [[nodiscard]] const Family& draw_family(std::size_t variable, std::uint32_t within,
                                          Random& random) const;

 private:
  const DagSums& sums_;
  std::size_t n_;
  std::vector<std::vector<Family>> families_;  // Families of each variable, the heaviest first.
  std::vector<std::size_t> order_;             // Variables, the most probable sinks first.
};

}  // namespace credenet
