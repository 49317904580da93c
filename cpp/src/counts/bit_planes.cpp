#include "credenet/counts/bit_planes.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <vector>

#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

// Planes up to which rows are divided plane by plane; with more it is faster to unpack them.
constexpr std::size_t kMostDivided = 6;
// Lines divided at once: the halves of all planes stay in the cache.
constexpr std::size_t kLines = 16;

// Puts bit i of the index into the lowest bit of byte i.
constexpr std::array<std::uint64_t, 256> make_spread() {
  std::array<std::uint64_t, 256> spread{};
  for (std::size_t bits = 0; bits < spread.size(); ++bits) {
    for (std::size_t bit = 0; bit < 8; ++bit) {
      if ((bits >> bit & 1U) != 0) spread[bits] |= std::uint64_t{1} << (8 * bit);
    }
  }
  return spread;
}
constexpr auto kSpread = make_spread();

using Lines = std::array<BitLine, kLines>;

// Clears the bits of rows from a number on.
void keep_first(Lines& rows, std::size_t n_rows) {
  for (std::size_t row = n_rows; row < kLines * BitLine::kRows;) {
    std::uint64_t& word = rows[row / BitLine::kRows].words[row % BitLine::kRows / 64];
    word &= (std::uint64_t{1} << row % 64) - 1;
    row += 64 - row % 64;
  }
}

// Divides rows by a plane into those with and without its bit; returns how many have it.
CREDENET_CLONES std::uint64_t divide(const BitLine* rows, const BitLine* plane, std::size_t n_lines,
                                     BitLine* with, BitLine* without) {
  std::uint64_t n_with = 0;
  for (std::size_t line = 0; line < n_lines; ++line) {
    for (std::size_t word = 0; word < 8; ++word) {
      const std::uint64_t bits = rows[line].words[word];
      const std::uint64_t common = bits & plane[line].words[word];
      with[line].words[word] = common;
      without[line].words[word] = bits & ~common;
      n_with += static_cast<std::uint64_t>(std::popcount(common));
    }
  }
  return n_with;
}

// Counts the codes of n_rows rows that have the bits of `code` from n_planes on.
void add_divided(const BitLine* rows, std::uint64_t n_rows, const BitLine* planes,
                 std::size_t n_planes, std::size_t stride, std::size_t n_lines, std::size_t code,
                 std::span<std::uint64_t> counts) {
  if (n_rows == 0) return;
  if (n_planes == 0) {
    counts[code] += n_rows;
    return;
  }
  const std::size_t bit = n_planes - 1;
  Lines with;
  Lines without;
  const std::uint64_t n_with =
      divide(rows, planes + bit * stride, n_lines, with.data(), without.data());
  add_divided(with.data(), n_with, planes, bit, stride, n_lines, code | std::size_t{1} << bit,
              counts);
  add_divided(without.data(), n_rows - n_with, planes, bit, stride, n_lines, code, counts);
}

}  // namespace

void unpack_line(const BitLine* plane, std::size_t n_planes, std::size_t stride,
                 std::array<std::uint8_t, BitLine::kRows>& codes) {
  for (std::size_t word = 0; word < 8; ++word) {
    for (std::size_t byte = 0; byte < 8; ++byte) {
      std::uint64_t eight = 0;
      for (std::size_t bit = 0; bit < n_planes; ++bit) {
        eight |= kSpread[plane[bit * stride].words[word] >> (8 * byte) & 0xFFU] << bit;
      }
      for (std::size_t row = 0; row < 8; ++row) {
        codes[word * 64 + byte * 8 + row] = static_cast<std::uint8_t>(eight >> (8 * row));
      }
    }
  }
}

void add_code_counts(std::span<const BitLine> planes, std::size_t n_planes, std::size_t n_rows,
                     std::span<std::uint64_t> counts) {
  assert(n_planes <= 16 && counts.size() == std::size_t{1} << n_planes);
  const std::size_t stride = (n_rows + BitLine::kRows - 1) / BitLine::kRows;
  assert(planes.size() == n_planes * stride);
  if (n_planes <= kMostDivided) {
    Lines all;
    for (BitLine& line : all) line.words.fill(~std::uint64_t{0});
    for (std::size_t first = 0; first < stride; first += kLines) {
      const std::size_t n_lines = std::min(kLines, stride - first);
      const std::size_t n_here =
          std::min(n_lines * BitLine::kRows, n_rows - first * BitLine::kRows);
      keep_first(all, n_here);
      add_divided(all.data(), n_here, planes.data() + first, n_planes, stride, n_lines, 0, counts);
    }
    return;
  }
  std::array<std::uint8_t, BitLine::kRows> low{};
  std::array<std::uint8_t, BitLine::kRows> high{};
  for (std::size_t line = 0; line < stride; ++line) {
    unpack_line(planes.data() + line, std::min<std::size_t>(n_planes, 8), stride, low);
    if (n_planes > 8) {
      unpack_line(planes.data() + 8 * stride + line, n_planes - 8, stride, high);
    }
    const std::size_t n_here = std::min(BitLine::kRows, n_rows - line * BitLine::kRows);
    for (std::size_t row = 0; row < n_here; ++row) {
      ++counts[low[row] | std::size_t{high[row]} << 8];
    }
  }
}

}  // namespace credenet
