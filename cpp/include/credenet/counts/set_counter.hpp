#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"

namespace credenet {

// Counts of the joint states of one set of variables after another. The rows' cells for all
// variables of a set but the last are kept on a stack, so that sets given in lexicographic order
// share the work on their common beginning and cost one pass over the rows each. Cells are numbered
// densely by first appearance: tables never have more cells than rows times states of the last
// variable.
class SetCounter {
 public:
  explicit SetCounter(const RowTable& rows) : rows_(rows) {}

  // Visits the count of every cell that occurs, in an order that the order of the variables fixes.
  template <typename Visit>
  void count(std::span<const std::uint16_t> variables, Visit&& visit) {
    if (variables.empty()) {
      visit(rows_.total());
      return;
    }
    keep_prefix(variables.first(variables.size() - 1));
    const std::size_t n_cells = tally(variables.back());
    if (rows_.weights().empty()) {
      for (std::size_t cell = 0; cell < n_cells; ++cell) {
        if (counts_[cell] != 0) visit(static_cast<double>(counts_[cell]));
      }
    } else {
      for (std::size_t cell = 0; cell < n_cells; ++cell) {
        if (weighted_counts_[cell] > 0) visit(weighted_counts_[cell]);
      }
    }
  }

 private:
  struct Level {
    std::uint16_t variable = 0;
    std::uint32_t n_cells = 0;
    std::vector<std::uint32_t> cells;  // of each row
  };

  void keep_prefix(std::span<const std::uint16_t> variables);
  std::size_t tally(std::uint16_t variable);

  const RowTable& rows_;
  std::vector<Level> stack_;
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> renumbered_;
  std::vector<std::uint32_t> counts_;
  std::vector<double> weighted_counts_;
};

}  // namespace credenet
