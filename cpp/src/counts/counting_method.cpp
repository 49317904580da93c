// The time of each method for a set whose first variables are on its stack, in nanoseconds on one
// core of a server processor, as measured (benchmarks/reports/counting.md):
//
//   bitmap   c (r - 1) (0.0014 rows + 2) + 0.5 cells    0.0047 without a popcount of 512 bits
//   key      0.36 rows + 0.5 cells * blocks of rows
//   cells    0.8 rows + 0.3 min(cells, rows * r)
//
// with c cells of the first variables and r states of the last. The terms in cells stand for the
// start of each pass and for clearing, reading and fetching tables.
#include "credenet/counts/counting_method.hpp"

#include <algorithm>
#include <cmath>

#include "credenet/counts/bitmap_tally.hpp"
#include "credenet/counts/key_tally.hpp"

namespace credenet {

CountingMethod counting_method(const RowTable& rows, std::span<const std::uint16_t> variables,
                               std::optional<CountingMethod> given) {
  double cells = 1;
  bool has_bitmaps = true;
  for (const std::uint16_t variable : variables) {
    cells *= rows.n_observed(variable);
    has_bitmaps = has_bitmaps && rows.has_bitmaps(variable);
  }
  const auto n_rows = static_cast<double>(rows.n_rows());
  const double n_states = rows.n_observed(variables.back());
  const double passes = cells / n_states * (n_states - 1);
  const bool fits_key = cells <= static_cast<double>(KeyTally::kMostCells);
  has_bitmaps = has_bitmaps && fits_key;
  if (given == CountingMethod::kBitmap && has_bitmaps) return CountingMethod::kBitmap;
  if (given == CountingMethod::kKey && fits_key) return CountingMethod::kKey;
  if (given) return CountingMethod::kCells;

  const double n_blocks = std::ceil(n_rows / static_cast<double>(kBlockRows));
  const double bitmap =
      passes * (n_rows * (BitmapTally::is_wide() ? 0.0014 : 0.0047) + 2) + cells * 0.5;
  const double key = n_rows * 0.36 + cells * n_blocks * 0.5;
  const double renumbered = n_rows * 0.8 + std::min(cells, n_rows * n_states) * 0.3;
  if (has_bitmaps && bitmap <= std::min(key, renumbered)) return CountingMethod::kBitmap;
  return fits_key && key <= renumbered ? CountingMethod::kKey : CountingMethod::kCells;
}

}  // namespace credenet
