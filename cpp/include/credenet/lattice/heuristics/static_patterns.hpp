#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/lattice/component_lists.hpp"
#include "credenet/lattice/heuristics/heuristic.hpp"
#include "credenet/lattice/order_graph.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// Static pattern databases (Yuan and Malone 2012). The variables are in disjoint groups; for each
// set R of members of a group, a table has the most that R can add when all other variables are
// there (pattern_table.hpp). The heuristic is the sum over groups of best(group minus placed). It
// is consistent: placing v of R next, with U at hand, is one of the choices of the maximum that
// best(R) is, with fewer parents to choose from.
class StaticPatterns final : public Heuristic {
 public:
  [[nodiscard]] static std::size_t bytes(std::span<const std::size_t> sizes);

  // Groups are made one per thread; see is_complete().
  StaticPatterns(const ComponentLists& lists, const OrderGraph& graph,
                 std::span<const std::uint64_t> groups, unsigned n_threads, Control& control);

  // Whether the tables are complete. If the control stopped it, there is no heuristic.
  [[nodiscard]] bool is_complete() const { return is_complete_; }

  [[nodiscard]] double operator()(std::uint64_t placed) const override {
    double sum = 0;
    for (const Group& group : groups_) {
      std::uint32_t at = 0;
      for (std::size_t part = 0; part < n_parts_; ++part) {
        at |= group.index[part][placed >> (8 * part) & 255];
      }
      sum += group.best[at ^ (group.best.size() - 1)];
    }
    return sum;
  }

 private:
  struct Group {
    std::vector<std::size_t> members;
    std::vector<double> best;
    // The members among eight variables, as bits of an index into best.
    std::array<std::array<std::uint32_t, 256>, 8> index;
  };

  std::size_t n_parts_;
  std::vector<Group> groups_;
  bool is_complete_ = true;
};

}  // namespace credenet
