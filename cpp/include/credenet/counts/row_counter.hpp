#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "credenet/counts/bitmap_tally.hpp"
#include "credenet/counts/cell_tally.hpp"
#include "credenet/counts/count_source.hpp"
#include "credenet/counts/counting_method.hpp"
#include "credenet/counts/key_tally.hpp"
#include "credenet/counts/row_table.hpp"

namespace credenet {

// Counts on rows in memory, each set by the method that is estimated to be fastest
// (CountingMethod). Long data are counted in blocks of rows: all sets of a batch on one block
// before the next. On short data the tables of a block stay in the cache until they are read.
class RowCounter final : public BatchCounter {
 public:
  explicit RowCounter(const RowTable& rows, std::optional<CountingMethod> method = std::nullopt)
      : BatchCounter(rows),
        rows_(rows),
        method_(method),
        bitmaps_(rows),
        keys_(rows),
        cells_(rows) {}

 private:
  // How a set of the batch is counted, and where its table begins if it is filled by blocks.
  struct Plan {
    CountingMethod method = CountingMethod::kCells;
    std::size_t n_cells = 0;
    std::size_t n_copies = 1;
    std::size_t begin = 0;
  };

  void fill(const SetBatch& sets, TableShape shape, BatchPlace& place, TableBlock& block) override;
  template <typename Count>
  void fill_counts(const SetBatch& sets, TableShape shape, BatchPlace& place,
                   std::vector<TableBlock::Table>& tables, std::vector<Count>& counts);
  [[nodiscard]] CountingMethod method_of(std::span<const std::uint16_t> variables,
                                         TableShape shape) const;
  template <typename Count>
  void count_together(const SetBatch& sets, TableShape shape, std::size_t first, std::size_t last,
                      std::vector<Count>& counts);
  template <typename Count>
  void add_block(const SetBatch& sets, std::size_t first, std::size_t last, std::size_t first_line,
                 std::vector<Count>& counts);
  template <typename Count>
  void append_strata(std::span<const std::uint16_t> variables, std::size_t most, std::size_t& group,
                     std::vector<Count>& counts);
  void group_rows(std::span<const std::uint16_t> conditioning);

  const RowTable& rows_;
  std::optional<CountingMethod> method_;
  BitmapTally bitmaps_;
  KeyTally keys_;
  CellTally cells_;
  std::vector<Plan> plans_;
  std::size_t n_together_ = 0;  // Cells of the tables that are counted by blocks of rows.
  std::vector<std::uint16_t> grouped_by_;    // Conditioning variables that the rows are grouped by.
  std::vector<std::uint32_t> group_starts_;  // Starts of the rows of each joint state.
  std::vector<std::uint32_t> grouped_rows_;
};

}  // namespace credenet
