#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/bitmap_tally.hpp"
#include "credenet/counts/block_table.hpp"
#include "credenet/counts/counting_method.hpp"
#include "credenet/counts/key_tally.hpp"
#include "credenet/counts/row_window.hpp"
#include "credenet/counts/table_counter.hpp"

namespace credenet {

// Goes through the blocks once for each batch. A window of unpacked rows stays in the second-level
// cache while all sets of the batch are counted on it.
class BlockCounter final : public TableCounter {
 public:
  explicit BlockCounter(const BlockTable& table)
      : TableCounter(table),
        table_(table),
        window_(table, table.stored(), table.has_multiplicities()),
        bitmaps_(window_),
        keys_(window_) {}

  void count_tables(const SetBatch& sets, std::vector<std::uint32_t>& counts) override;
  void count_cells(std::span<const std::uint16_t> variables, CellCounts& found) override;

 private:
  struct Plan {
    bool by_bitmap = false;
    std::size_t n_cells = 1;
    std::size_t n_copies = 1;
    std::size_t begin = 0;  // Start of the table and its copies.
  };

  std::size_t plan(const SetBatch& sets);
  template <typename Visit>
  void for_each_window(Visit&& visit);
  template <typename Add>
  void add_keys(std::span<const std::uint16_t> variables, Add&& add);

  const BlockTable& table_;
  RowWindow window_;
  BitmapTally bitmaps_;
  KeyTally keys_;
  std::vector<Plan> plans_;
  std::vector<std::uint32_t> work_;  // Tables with their copies.
};

}  // namespace credenet
