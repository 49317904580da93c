#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"

namespace credenet {

// Counts for tables too large for the other ways. The occupied cells of all variables of a set but
// the last are numbered 0, 1, … in mixed-radix order, and the number of each row's cell is kept on
// a stack; a table has room for these cells and all states of the last variable, or, where that is
// many times the rows, for the occupied cells alone. Time and memory are in proportion to the rows
// (with a sort where the table would be too large).
class CellTally {
 public:
  struct Level {
    std::uint16_t variable = 0;
    std::uint32_t n_cells = 1;         // occupied
    std::vector<std::uint32_t> cells;  // number of each row's
  };

  explicit CellTally(const RowTable& rows) : rows_(rows) {}

  // Appends the counts in mixed-radix order, last variable fastest, with some or all of the empty
  // cells left out. Counts are whole numbers where the rows have no weights.
  template <typename Count>
  void count(std::span<const std::uint16_t> variables, std::vector<Count>& counts);
  // The same with all cells, whatever room they take.
  template <typename Count>
  void count_all(std::span<const std::uint16_t> variables, std::vector<Count>& counts) const;

  // The rows' cells for a set that is not empty.
  [[nodiscard]] const Level& keep(std::span<const std::uint16_t> variables);

 private:
  [[nodiscard]] bool is_too_large(double n_cells) const;
  void extend(const Level& above, Level& level);

  const RowTable& rows_;
  std::vector<Level> stack_;
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> numbers_;  // of cells, while they are numbered
};

}  // namespace credenet
