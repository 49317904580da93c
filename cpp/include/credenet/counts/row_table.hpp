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
  static constexpr std::size_t kRows = 512;  // Rows of a line: the bits of a cache line.
  std::array<std::uint64_t, 8> words{};
};

// Rows prepared for counting. States that never occur are dropped: a count of zero adds nothing to
// any score. Equal rows are merged if at most an eighth of the rows is left; having so few rows
// outweighs the bitmaps, which merged rows cannot have. A column is stored in bytes if its states
// allow. Weights that are whole numbers say how often rows occur: they are multiplicities, as those
// of merged rows. If every row counts for 1 and the states are few, it is also stored as one bitmap
// for each state, whose bits beyond the last row are 0.
class RowTable : public CountSource {
 public:
  // Bitmaps take up to kMostBitmapStates bits for each row and column, and at most bitmap_bytes in
  // all. Columns with few states get them first.
  static constexpr std::uint32_t kMostBitmapStates = 16;
  static constexpr std::size_t kBitmapBytes = std::size_t{2} << 30;

  template <typename Code>
  RowTable(const Code* codes, std::size_t n_rows, std::size_t n_variables,
           std::span<const double> weights, std::size_t bitmap_bytes = kBitmapBytes);

  [[nodiscard]] std::unique_ptr<BatchCounter> counter() const override;
  [[nodiscard]] const RowTable* rows() const override { return this; }

  // Calls visit with the codes of a variable, one for each row, in the type they are stored in.
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
  // The bitmaps of the states, of n_lines() each, one after another.
  [[nodiscard]] std::span<const BitLine> bitmaps(std::size_t variable) const {
    return columns_[variable].bitmaps;
  }
  [[nodiscard]] std::size_t n_lines() const {
    return (n_rows_ + BitLine::kRows - 1) / BitLine::kRows;
  }
  // How much each row counts; empty if each counts for 1. Multiplicities are whole numbers.
  [[nodiscard]] std::span<const std::uint32_t> multiplicities() const { return multiplicities_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }

 protected:
  struct Column {
    std::vector<std::uint8_t> narrow;  // Codes of a column with up to 256 states.
    std::vector<std::uint16_t> wide;   // Codes of a column with more states.
    std::vector<BitLine> bitmaps;
  };

  RowTable() = default;  // Makes a table whose rows change (RowWindow).

  std::vector<Column> columns_;
  std::vector<std::uint32_t> multiplicities_;
  std::vector<double> weights_;

 private:
  void merge_equal_rows();
  void keep_counted_rows(std::span<const double> counts);
  void keep_only(std::span<const std::uint32_t> rows);
  void make_bitmaps(std::size_t bitmap_bytes);
};

}  // namespace credenet
