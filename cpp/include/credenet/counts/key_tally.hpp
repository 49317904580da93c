#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"

namespace credenet {

// Counts by the mixed-radix number of each row's cell, its key of 16 bits. A stack keeps the keys
// for all variables of a set but the last. If a set has the same first variables as the set before,
// it costs one pass over the rows: a multiplication and an addition for many rows at once, then one
// addition to the table for each row.
class KeyTally {
 public:
  // Most cells of a table: keys have 16 bits.
  static constexpr std::size_t kMostCells = std::size_t{1} << 16;
  // Small tables are kept in this many copies if all rows count for 1. The copies are filled in
  // turn, so equal neighbouring rows do not wait for each other's store.
  static constexpr std::size_t kCopies = 4;
  static constexpr std::size_t kFewCells = 1024;  // Most cells of a table that is kept in copies.
  [[nodiscard]] static std::size_t n_copies(const RowTable& rows, std::size_t n_cells) {
    return n_cells <= kFewCells && rows.multiplicities().empty() && rows.weights().empty() ? kCopies
                                                                                           : 1;
  }

  explicit KeyTally(const RowTable& rows) : rows_(rows) {}

  // Adds some rows to a table in mixed-radix order, last variable fastest, or to its copies, which
  // lie one after another. Counts are whole numbers if the rows have no weights.
  template <typename Count>
  void add(std::span<const std::uint16_t> variables, std::size_t first_row, std::size_t n_rows,
           std::size_t n_cells, Count* table);
  // Forgets the stack. Must be called when the rows have changed.
  void forget() { depth_ = 0; }

 private:
  struct Level {
    std::uint16_t variable = 0;
    std::vector<std::uint16_t> keys;
  };

  void keep(std::span<const std::uint16_t> variables, std::size_t first_row, std::size_t n_rows);

  const RowTable& rows_;
  std::vector<Level> stack_;
  std::size_t depth_ = 0;
  std::size_t first_row_ = 0;
  alignas(64) std::array<std::uint16_t, 4096> keys_{};  // Keys of the current rows.
};

}  // namespace credenet
