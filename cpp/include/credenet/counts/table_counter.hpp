#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/count_source.hpp"

namespace credenet {

// The cells of a table that occur, ascending, with their counts.
struct CellCounts {
  std::vector<std::uint64_t> cells;
  std::vector<std::uint32_t> counts;
};

// The number of cells of the table of a set. Throws std::length_error if it does not fit in 63
// bits.
[[nodiscard]] std::uint64_t n_cells_of(const CountSource& source,
                                       std::span<const std::uint16_t> variables);

// Counts for a source that goes through its rows for many tables at once, because they are not in
// memory. It asks for whole tables of small sets, and for the occupied cells of a large one. Rows
// have no weights.
class TableCounter : public BatchCounter {
 public:
  // Most cells of the table of a small set.
  static constexpr std::size_t kMostCells = std::size_t{1} << 16;
  // Most cells of small sets that are counted together.
  static constexpr std::size_t kMostTogether = std::size_t{1} << 22;

  // All cells of each set, one table after another. No set is empty, and all are small.
  virtual void count_tables(const SetBatch& sets, std::vector<std::uint32_t>& counts) = 0;
  // The occupied cells of a set of any size.
  virtual void count_cells(std::span<const std::uint16_t> variables, CellCounts& found) = 0;

 protected:
  explicit TableCounter(const CountSource& source) : BatchCounter(source), source_(source) {}

 private:
  void fill(const SetBatch& sets, TableShape shape, BatchPlace& place, TableBlock& block) override;
  void fill_small(const SetBatch& sets, TableShape shape, BatchPlace& place, TableBlock& block);
  void fill_large(std::span<const std::uint16_t> variables, std::uint64_t n_cells, TableShape shape,
                  BatchPlace& place, TableBlock& block);
  void append_strata(std::size_t pair_cells, BatchPlace& place, TableBlock& block) const;

  const CountSource& source_;
  SetBatch together_;
  CellCounts large_;  // Counts of the current large set.
};

}  // namespace credenet
