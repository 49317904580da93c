#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"

namespace credenet {

// Counts for tables that are too large for the other methods. The occupied cells of all variables
// of a set but the last are numbered 0, 1, … in mixed-radix order; a stack keeps the number of each
// row's cell. A table has a place for each of these cells and each state of the last variable. If
// that is many times the number of rows, it has places for the occupied cells only, found by
// sorting. Time and memory grow with the number of rows.
class CellTally {
 public:
  struct Level {
    std::uint16_t variable = 0;
    std::uint32_t n_cells = 1;         // Number of occupied cells.
    std::vector<std::uint32_t> cells;  // Number of each row's cell.
  };

  explicit CellTally(const RowTable& rows) : rows_(rows) {}

  // Appends the counts in mixed-radix order, last variable fastest. Some or all of the empty cells
  // are left out. Counts are whole numbers if the rows have no weights.
  template <typename Count>
  void count(std::span<const std::uint16_t> variables, std::vector<Count>& counts);
  // Visits all cells, including those without rows.
  template <typename Count>
  void count_all(std::span<const std::uint16_t> variables, std::vector<Count>& counts) const;

  // The cell of each row, for a set that is not empty.
  [[nodiscard]] const Level& keep(std::span<const std::uint16_t> variables);

 private:
  [[nodiscard]] bool is_too_large(double n_cells) const;
  void extend(const Level& above, Level& level);

  const RowTable& rows_;
  std::vector<Level> stack_;
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> numbers_;  // New number of each cell while cells are numbered.
};

}  // namespace credenet
