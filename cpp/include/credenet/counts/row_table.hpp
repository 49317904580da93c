#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/counts/count_source.hpp"

namespace credenet {

// 512 rows as bits: one cache line, one wide register.
struct alignas(64) BitLine {
  static constexpr std::size_t kRows = 512;
  std::array<std::uint64_t, 8> words{};
};

// Rows made ready for counting. States that never occur are dropped (a count of zero adds nothing
// to any score), and equal rows are merged where that leaves at most an eighth of them: that many
// fewer rows outweigh the bitmaps, which such rows cannot have. A column is kept as bytes where its
// states allow and, where every row counts for 1 and the states are few, also as one bitmap a
// state, whose bits beyond the last row are 0.
class RowTable final : public CountSource {
 public:
  // Bitmaps take up to kMostBitmapStates bits a row and column, in all at most bitmap_bytes;
  // columns with few states come first.
  static constexpr std::uint32_t kMostBitmapStates = 16;
  static constexpr std::size_t kBitmapBytes = std::size_t{2} << 30;

  template <typename Code>
  RowTable(const Code* codes, std::size_t n_rows, std::size_t n_variables,
           std::span<const double> weights, std::size_t bitmap_bytes = kBitmapBytes);

  [[nodiscard]] std::unique_ptr<BatchCounter> counter() const override;
  [[nodiscard]] const RowTable* rows() const override { return this; }

  // Calls visit with the codes, one a row, of whichever type they are.
  template <typename Visit>
  void visit_column(std::size_t variable, Visit&& visit) const {
    const Column& column = columns_[variable];
    if (n_observed(variable) <= 256) {
      visit(column.narrow.data());
    } else {
      visit(column.wide.data());
    }
  }
  [[nodiscard]] bool has_bitmaps(std::size_t variable) const {
    return !columns_[variable].bitmaps.empty();
  }
  // One bitmap of n_lines() after another, by state.
  [[nodiscard]] std::span<const BitLine> bitmaps(std::size_t variable) const {
    return columns_[variable].bitmaps;
  }
  [[nodiscard]] std::size_t n_lines() const {
    return (n_rows_ + BitLine::kRows - 1) / BitLine::kRows;
  }
  // What each row counts for: nothing listed means 1 each; multiplicities are whole numbers.
  [[nodiscard]] std::span<const std::uint32_t> multiplicities() const { return multiplicities_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }

 private:
  struct Column {
    std::vector<std::uint8_t> narrow;  // up to 256 states
    std::vector<std::uint16_t> wide;   // more
    std::vector<BitLine> bitmaps;
  };

  void merge_equal_rows();
  void make_bitmaps(std::size_t bitmap_bytes);

  std::vector<Column> columns_;
  std::vector<std::uint32_t> multiplicities_;
  std::vector<double> weights_;
};

}  // namespace credenet
