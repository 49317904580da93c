#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"

namespace credenet {

// Counts by AND and popcount of the states' bitmaps. A stack keeps the bitmaps of the occupied
// cells of all variables of a set but the last. If a set has the same first variables as the set
// before, it costs (occupied cells of these) * (states of the last variable - 1) passes over the
// bits. The count of the last state is what the others leave. Empty cells are skipped.
class BitmapTally {
 public:
  // Whether the processor has a popcount of a whole line of 512 bits.
  [[nodiscard]] static bool is_wide();

  explicit BitmapTally(const RowTable& rows, bool wide = is_wide()) : rows_(rows), wide_(wide) {}

  // Adds the rows of some lines to a table in mixed-radix order, last variable fastest. There is at
  // least one variable, and all have bitmaps.
  void add(std::span<const std::uint16_t> variables, std::size_t first_line, std::size_t n_lines,
           std::uint32_t* table);
  // Forgets the stack. Must be called when the rows have changed.
  void forget() { n_lines_ = 0; }

 private:
  struct Level {
    std::uint16_t variable = 0;
    std::vector<std::uint32_t> cells;   // Numbers of the occupied cells.
    std::vector<std::uint32_t> counts;  // Number of rows of each occupied cell.
    std::vector<BitLine> bits;          // Bitmap of each occupied cell, n_lines_ lines each.
  };

  void start(std::size_t first_line, std::size_t n_lines);
  void extend(std::uint16_t variable);

  const RowTable& rows_;
  bool wide_;
  std::vector<Level> stack_;  // Levels; the first has no variable: one cell with all rows.
  std::size_t depth_ = 0;     // Number of variables on the stack.
  std::size_t first_line_ = 0;
  std::size_t n_lines_ = 0;
};

}  // namespace credenet
