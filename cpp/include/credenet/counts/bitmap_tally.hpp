#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"

namespace credenet {

// Counts by AND and popcount of the states' bitmaps. The bitmaps of the occupied cells of all
// variables of a set but the last are kept on a stack, so that a set that begins like the one
// before costs (cells of the beginning) * (states of the last variable - 1) passes over bits; the
// last state is what the others leave. Cells that are empty are not gone into.
class BitmapTally {
 public:
  // Whether the processor counts the bits of a whole line at once.
  [[nodiscard]] static bool is_wide();

  explicit BitmapTally(const RowTable& rows, bool wide = is_wide()) : rows_(rows), wide_(wide) {}

  // Adds the rows of some lines to a table in mixed-radix order, last variable fastest. The
  // variables, at least one, all have bitmaps.
  void add(std::span<const std::uint16_t> variables, std::size_t first_line, std::size_t n_lines,
           std::uint32_t* table);

 private:
  struct Level {
    std::uint16_t variable = 0;
    std::vector<std::uint32_t> cells;   // numbers of those that are occupied
    std::vector<std::uint32_t> counts;  // of each
    std::vector<BitLine> bits;          // n_lines_ of each
  };

  void start(std::size_t first_line, std::size_t n_lines);
  void extend(std::uint16_t variable);

  const RowTable& rows_;
  bool wide_;
  std::vector<Level> stack_;  // the first is that of no variable: one cell with all rows
  std::size_t depth_ = 0;     // variables on the stack
  std::size_t first_line_ = 0;
  std::size_t n_lines_ = 0;
};

}  // namespace credenet
