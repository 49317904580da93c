#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"

namespace credenet {

// The codes of some rows as bits: plane p of a variable has bit p of each code, lines of 512 rows
// after each other. Bits beyond the last row are 0.
struct PlaneRows {
  std::size_t n_rows = 0;
  std::vector<std::span<const BitLine>> planes;  // The planes of each variable in turn.
  std::vector<std::uint8_t> n_planes;            // Number of planes of each variable.
  // Multiplicities of the rows; empty if each row counts for 1.
  std::span<const std::uint32_t> multiplicities;
};

// A few rows at a time, as a table that the tallies can count. The rows change, the variables and
// their observed states stay.
class RowWindow final : public RowTable {
 public:
  static constexpr std::size_t kLines = 64;
  static constexpr std::size_t kRows = kLines * BitLine::kRows;

  // Takes the codes that occur in the planes; they may differ from the numbers of the states.
  RowWindow(const CountSource& source, const std::vector<std::vector<std::uint16_t>>& stored,
            bool has_multiplicities);

  // Pretends that a full window is loaded, for estimates of time.
  void clear() { n_rows_ = kRows; }
  // Declares the variables that are needed as bitmaps and the variables that are needed as codes.
  void need(std::vector<std::uint16_t> as_bitmaps, std::vector<std::uint16_t> as_codes);
  // Takes at most kLines lines of the rows.
  void load(const PlaneRows& rows, std::size_t first_line, std::size_t n_lines);

 private:
  void load_bitmaps(std::size_t variable, std::span<const BitLine> planes, std::size_t n_planes,
                    std::size_t stride, std::size_t first_line);
  void load_codes(std::size_t variable, std::span<const BitLine> planes, std::size_t n_planes,
                  std::size_t stride, std::size_t first_line);

  bool has_multiplicities_;
  std::vector<std::uint16_t> as_bitmaps_;
  std::vector<std::uint16_t> as_codes_;
  const std::vector<std::vector<std::uint16_t>>& stored_;
  // Place of each code, one list for each variable; empty if places are codes.
  std::vector<std::vector<std::uint16_t>> place_of_code_;
};

}  // namespace credenet
