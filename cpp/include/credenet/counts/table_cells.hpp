// Access to the cells of a table after counting.
#pragma once

#include <algorithm>
#include <cstddef>

namespace credenet {

// Adds the copies of a table, which lie one after another, to the first.
template <typename Count>
void merge_copies(Count* table, std::size_t n_cells, std::size_t n_copies) {
  for (std::size_t copy = 1; copy < n_copies; ++copy) {
    const Count* other = table + copy * n_cells;
    for (std::size_t cell = 0; cell < n_cells; ++cell) table[cell] += other[cell];
  }
}

// Moves the counts that are not 0 to the front; returns how many there are.
template <typename Count>
std::size_t keep_occupied(Count* table, std::size_t n_cells) {
  auto n_occupied = static_cast<std::size_t>(std::find(table, table + n_cells, Count{0}) - table);
  for (std::size_t cell = n_occupied; cell < n_cells; ++cell) {
    const Count count = table[cell];
    table[n_occupied] = count;
    n_occupied += count > 0 ? 1 : 0;
  }
  return n_occupied;
}

}  // namespace credenet
