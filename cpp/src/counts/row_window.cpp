#include "credenet/counts/row_window.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "credenet/counts/bit_planes.hpp"

namespace credenet {

RowWindow::RowWindow(const CountSource& source,
                     const std::vector<std::vector<std::uint16_t>>& stored, bool has_multiplicities)
    : has_multiplicities_(has_multiplicities),
      stored_(stored),
      place_of_code_(source.n_variables()) {
  columns_.resize(source.n_variables());
  total_ = source.total();
  for (std::size_t variable = 0; variable < source.n_variables(); ++variable) {
    observed_.emplace_back(source.observed(variable).begin(), source.observed(variable).end());
    const std::vector<std::uint16_t>& codes = stored[variable];
    n_observed_.push_back(static_cast<std::uint32_t>(codes.size()));
    if (!has_multiplicities && codes.size() <= kMostBitmapStates) {
      columns_[variable].bitmaps.resize(1);  // Some bits, until the bitmap is loaded.
    }
    if (std::size_t{codes.back()} + 1 == codes.size()) continue;
    std::vector<std::uint16_t>& place_of = place_of_code_[variable];
    place_of.assign(std::size_t{codes.back()} + 1, 0);
    for (std::size_t at = 0; at < codes.size(); ++at) {
      place_of[codes[at]] = static_cast<std::uint16_t>(at);
    }
  }
}

void RowWindow::need(std::vector<std::uint16_t> as_bitmaps, std::vector<std::uint16_t> as_codes) {
  as_bitmaps_ = std::move(as_bitmaps);
  as_codes_ = std::move(as_codes);
}

void RowWindow::load(const PlaneRows& rows, std::size_t first_line, std::size_t n_lines) {
  const std::size_t first_row = first_line * BitLine::kRows;
  const std::size_t stride = (rows.n_rows + BitLine::kRows - 1) / BitLine::kRows;
  n_rows_ = std::min(n_lines * BitLine::kRows, rows.n_rows - first_row);
  if (has_multiplicities_) {
    const auto some = rows.multiplicities.subspan(first_row, n_rows_);
    multiplicities_.assign(some.begin(), some.end());
  }
  for (const std::uint16_t variable : as_bitmaps_) {
    load_bitmaps(variable, rows.planes[variable], rows.n_planes[variable], stride, first_line);
  }
  for (const std::uint16_t variable : as_codes_) {
    load_codes(variable, rows.planes[variable], rows.n_planes[variable], stride, first_line);
  }
}

void RowWindow::load_bitmaps(std::size_t variable, std::span<const BitLine> planes,
                             std::size_t n_planes, std::size_t stride, std::size_t first_line) {
  std::vector<BitLine>& bitmaps = columns_[variable].bitmaps;
  bitmaps.resize(n_observed(variable) * n_lines());
  BitLine* target = bitmaps.data();
  for (const std::uint16_t code : stored_[variable]) {
    for (std::size_t line = 0; line < n_lines(); ++line, ++target) {
      target->words.fill(~std::uint64_t{0});
      for (std::size_t bit = 0; bit < n_planes; ++bit) {
        const BitLine& plane = planes[bit * stride + first_line + line];
        const std::uint64_t flip = (code >> bit & 1U) != 0 ? 0 : ~std::uint64_t{0};
        for (std::size_t word = 0; word < 8; ++word) {
          target->words[word] &= plane.words[word] ^ flip;
        }
      }
    }
    const std::size_t n_last = n_rows_ % BitLine::kRows;  // Rows of the last line; 0 if it is full.
    for (std::size_t word = 0; n_last > 0 && word < 8; ++word) {
      const std::size_t n_bits =
          n_last > word * 64 ? std::min<std::size_t>(n_last - word * 64, 64) : 0;
      if (n_bits < 64) target[-1].words[word] &= (std::uint64_t{1} << n_bits) - 1;
    }
  }
}

void RowWindow::load_codes(std::size_t variable, std::span<const BitLine> planes,
                           std::size_t n_planes, std::size_t stride, std::size_t first_line) {
  const std::vector<std::uint16_t>& place_of = place_of_code_[variable];
  Column& column = columns_[variable];
  const bool is_narrow = n_observed(variable) <= 256;
  // A file may change after its codes were checked. No code may lead beyond a table, whatever it
  // is.
  const std::size_t last = n_observed(variable) - 1;
  if (is_narrow) {
    column.narrow.resize(n_lines() * BitLine::kRows);
  } else {
    column.wide.resize(n_lines() * BitLine::kRows);
  }
  std::array<std::uint8_t, BitLine::kRows> low{};
  std::array<std::uint8_t, BitLine::kRows> high{};
  for (std::size_t line = 0; line < n_lines(); ++line) {
    const BitLine* plane = planes.data() + first_line + line;
    unpack_line(plane, std::min<std::size_t>(n_planes, 8), stride, low);
    if (n_planes > 8) unpack_line(plane + 8 * stride, n_planes - 8, stride, high);
    const std::size_t begin = line * BitLine::kRows;
    if (is_narrow && place_of.empty()) {
      std::uint8_t* target = column.narrow.data() + begin;
      const auto most = static_cast<std::uint8_t>(last);
      for (std::size_t row = 0; row < BitLine::kRows; ++row) target[row] = std::min(low[row], most);
      continue;
    }
    for (std::size_t row = 0; row < BitLine::kRows; ++row) {
      std::size_t code = low[row];
      if (n_planes > 8) code |= std::size_t{high[row]} << 8;
      if (!place_of.empty()) code = code < place_of.size() ? place_of[code] : 0;
      code = std::min(code, last);
      if (is_narrow) {
        column.narrow[begin + row] = static_cast<std::uint8_t>(code);
      } else {
        column.wide[begin + row] = static_cast<std::uint16_t>(code);
      }
    }
  }
}

}  // namespace credenet
