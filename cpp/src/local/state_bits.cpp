#include "credenet/local/state_bits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

constexpr std::size_t kPlanes = 32;    // Binary digits of a count.
constexpr std::size_t kTogether = 16;  // Lines that are added at a time.

// Binary digits of the counts of a line, lowest first.
using Planes = std::array<BitLine, kPlanes>;

// Adds a + b + c: their sum replaces a, the carry is returned.
[[gnu::always_inline]] inline BitLine add(BitLine& a, const BitLine& b, const BitLine& c) {
  BitLine carry;
  for (std::size_t word = 0; word < 8; ++word) {
    const std::uint64_t either = a.words[word] ^ b.words[word];
    carry.words[word] = (a.words[word] & b.words[word]) | (either & c.words[word]);
    a.words[word] = either ^ c.words[word];
  }
  return carry;
}

// Adds a line to the digits from the given one on.
[[gnu::always_inline]] inline void add_from(Planes& planes, std::size_t first, std::size_t n_planes,
                                            const BitLine& line) {
  BitLine carry = line;
  for (std::size_t plane = first; plane < n_planes; ++plane) {
    for (std::size_t word = 0; word < 8; ++word) {
      const std::uint64_t next = planes[plane].words[word] & carry.words[word];
      planes[plane].words[word] ^= carry.words[word];
      carry.words[word] = next;
    }
  }
}

// Adds sixteen lines at a time by carry-save adders, the others one by one.
CREDENET_CLONES
void add_lines(const BitLine* lines, const std::uint32_t* rows, std::size_t n_rows,
               std::size_t n_planes, Planes& planes) {
  std::size_t at = 0;
  if (n_rows >= kTogether) {
    BitLine ones{}, twos{}, fours{}, eights{};
    for (; at + kTogether <= n_rows; at += kTogether) {
      const auto line = [&](std::size_t k) -> const BitLine& { return lines[rows[at + k]]; };
      BitLine two = add(ones, line(0), line(1));
      BitLine other_two = add(ones, line(2), line(3));
      BitLine four = add(twos, two, other_two);
      two = add(ones, line(4), line(5));
      other_two = add(ones, line(6), line(7));
      BitLine other_four = add(twos, two, other_two);
      const BitLine eight = add(fours, four, other_four);
      two = add(ones, line(8), line(9));
      other_two = add(ones, line(10), line(11));
      four = add(twos, two, other_two);
      two = add(ones, line(12), line(13));
      other_two = add(ones, line(14), line(15));
      other_four = add(twos, two, other_two);
      const BitLine other_eight = add(fours, four, other_four);
      add_from(planes, 4, n_planes, add(eights, eight, other_eight));
    }
    planes[0] = ones;
    planes[1] = twos;
    planes[2] = fours;
    planes[3] = eights;
  }
  for (; at < n_rows; ++at) add_from(planes, 0, n_planes, lines[rows[at]]);
}

CREDENET_CLONES
void to_numbers(const Planes& planes, std::size_t n_planes, std::size_t n_columns,
                std::uint32_t* counts) {
  for (std::size_t column = 0; column < n_columns; column += 32) {
    std::array<std::uint32_t, 32> sums{};
    for (std::size_t plane = 0; plane < n_planes; ++plane) {
      const auto bits =
          static_cast<std::uint32_t>(planes[plane].words[column / 64] >> (column % 64));
      for (std::uint32_t bit = 0; bit < 32; ++bit) sums[bit] |= ((bits >> bit) & 1) << plane;
    }
    std::ranges::copy(sums, counts + column);
  }
}

void add_bits(const BitLine& other, BitLine& line) {
  for (std::size_t word = 0; word < 8; ++word) line.words[word] |= other.words[word];
}

CREDENET_CLONES
std::size_t n_bits(const BitLine& line) {
  std::size_t sum = 0;
  for (const std::uint64_t word : line.words) sum += static_cast<std::size_t>(std::popcount(word));
  return sum;
}

}  // namespace

std::size_t StateBits::n_columns(const RowTable& rows) {
  std::size_t number = 0;
  for (std::size_t v = 0; v < rows.n_variables(); ++v) {
    if (rows.n_observed(v) <= kColumns) number += rows.n_observed(v) - 1;
  }
  return number;
}

double StateBits::bytes(const RowTable& rows) {
  return (static_cast<double>(n_columns(rows)) / kColumns + 1) *
         static_cast<double>(rows.n_rows()) * sizeof(BitLine);
}

StateBits::StateBits(const RowTable& rows, std::span<const std::int32_t> n_states)
    : tile_of_(rows.n_variables(), kNoTile) {
  std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<std::uint16_t>> alike;
  for (std::size_t v = 0; v < rows.n_variables(); ++v) {
    if (rows.n_observed(v) > kColumns) continue;
    alike[{rows.n_observed(v), n_states[v]}].push_back(static_cast<std::uint16_t>(v));
  }
  for (const auto& [states, variables] : alike) {
    const std::size_t width = states.first - 1;
    for (std::size_t at = 0; at < variables.size();) {
      if (tiles_.empty() || tiles_.back().n_columns + width > kColumns) tiles_.emplace_back();
      const std::size_t left = kColumns - tiles_.back().n_columns;
      const std::size_t size =
          std::min(variables.size() - at, width == 0 ? variables.size() : left / width);
      const auto first = variables.begin() + static_cast<std::ptrdiff_t>(at);
      add_block(rows, {states.first,
                       states.second,
                       tiles_.back().n_columns,
                       {first, first + static_cast<std::ptrdiff_t>(size)}});
      at += size;
    }
  }
}

void StateBits::add_block(const RowTable& rows, Block block) {
  Tile& tile = tiles_.back();
  tile.lines.resize(rows.n_rows());
  const std::size_t n_variables = block.variables.size();
  for (std::size_t at = 0; at < n_variables; ++at) {
    tile_of_[block.variables[at]] = static_cast<std::uint32_t>(tiles_.size() - 1);
    rows.visit_column(block.variables[at], [&](const auto* codes) {
      std::vector<std::size_t> sizes(block.n_observed, 0);
      for (std::size_t row = 0; row < rows.n_rows(); ++row) ++sizes[codes[row]];
      const auto most = static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin());
      for (std::size_t row = 0; row < rows.n_rows(); ++row) {
        if (codes[row] == most) continue;
        const std::size_t state = codes[row] - (codes[row] > most ? 1U : 0U);
        const std::size_t column = block.first_column + state * n_variables + at;
        tile.lines[row].words[column / 64] |= std::uint64_t{1} << (column % 64);
      }
    });
  }
  for (std::uint32_t state = 0; state + 1 < block.n_observed; ++state) {
    for (std::size_t at = 0; at < n_variables; ++at) {
      tile.variable_of.push_back(static_cast<std::uint16_t>(tile.n_variables + at));
    }
  }
  tile.n_columns = tile.variable_of.size();
  tile.n_variables += n_variables;
  tile.blocks.push_back(std::move(block));
}

void StateBits::count(const Tile& tile, std::span<const std::uint32_t> rows, Counts& counts) {
  const auto n_planes = static_cast<std::size_t>(std::bit_width(rows.size()));
  Planes planes;
  add_lines(tile.lines.data(), rows.data(), rows.size(), n_planes, planes);
  counts.n_rows = rows.size();
  counts.occupied = {};
  for (std::size_t plane = 0; plane < n_planes; ++plane) add_bits(planes[plane], counts.occupied);
  counts.n_occupied = n_bits(counts.occupied);
  if (!counts.is_sparse(tile)) {
    to_numbers(planes, n_planes, tile.n_columns, counts.numbers.data());
    return;
  }
  counts.for_each_occupied([&](std::size_t column) {
    std::uint32_t number = 0;
    for (std::size_t plane = 0; plane < n_planes; ++plane) {
      const auto bit = static_cast<std::uint32_t>(planes[plane].words[column / 64] >> column % 64);
      number |= (bit & 1) << plane;
    }
    counts.numbers[column] = number;
  });
}

void StateBits::add(const Tile& tile, const Counts& other, Counts& counts) {
  counts.n_rows += other.n_rows;
  add_bits(other.occupied, counts.occupied);
  counts.n_occupied = n_bits(counts.occupied);
  if (other.is_sparse(tile)) {
    other.for_each_occupied(
        [&](std::size_t column) { counts.numbers[column] += other.numbers[column]; });
  } else {
    for (std::size_t column = 0; column < tile.n_columns; ++column) {
      counts.numbers[column] += other.numbers[column];
    }
  }
}

}  // namespace credenet
