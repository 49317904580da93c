#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/cell_tally.hpp"
#include "credenet/counts/row_table.hpp"

namespace credenet {

// The rows of a family by cell: by joint state of the parents, then by state of the child.
struct RowGroups {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> cell_ends;    // Ends in rows of the occupied cells.
  std::vector<std::uint32_t> parent_ends;  // Ends in cell_ends of the occupied joint states.
};

// Sorts the rows of families, for one thread.
class RowGrouping {
 public:
  // Bytes of a grouping's own memory for each row, about: a key, and the cells of four sets.
  static constexpr std::size_t kRowBytes = sizeof(std::uint16_t) + 4 * sizeof(std::uint32_t);

  explicit RowGrouping(const RowTable& rows) : rows_(rows), cells_(rows) {}

  // Groups the rows of a family. The rows themselves are left out unless asked for.
  void find(std::size_t child, std::span<const std::uint16_t> parents, bool with_rows,
            RowGroups& groups);

 private:
  template <typename Cell, typename ParentOf>
  void sort(const Cell* cells, std::size_t n_cells, const ParentOf& parent_of, bool with_rows,
            RowGroups& groups);
  void find_keys();

  const RowTable& rows_;
  CellTally cells_;
  std::vector<std::uint16_t> variables_;
  std::vector<std::uint16_t> keys_;       // Cell of each row.
  std::vector<std::uint32_t> parent_of_;  // Joint state of the parents in each cell.
  // Places of the next row of each cell, for each part of the rows.
  std::vector<std::uint32_t> places_;
};

}  // namespace credenet
