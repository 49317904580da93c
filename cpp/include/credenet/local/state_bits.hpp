#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"

namespace credenet {

// Rows as bits, one bit for each state of each variable but its most frequent state. Where
// BitmapTally has a line of rows for each state, this has a line of states for each row: a group of
// rows is counted for all variables at once, by adding their lines as columns of binary numbers
// (Klarqvist, Mula and Lemire 2021). Rows have no multiplicities and no weights.
class StateBits {
 public:
  static constexpr std::size_t kColumns = BitLine::kRows;  // Number of bits of a line.

  // Variables with equal numbers of states: as observed, and as the score counts them. Their bits
  // are next to each other: first the first state of each variable, then the second, ….
  struct Block {
    std::uint32_t n_observed = 1;
    std::int32_t n_states = 1;
    std::size_t first_column = 0;
    std::vector<std::uint16_t> variables;
  };
  // Blocks that fit in one line of each row.
  struct Tile {
    std::vector<Block> blocks;
    std::size_t n_variables = 0;
    std::size_t n_columns = 0;
    std::vector<std::uint16_t> variable_of;  // Place of each column's variable in the tile.
    std::vector<BitLine> lines;              // Lines of each row.
  };
  // How many rows of a group have each bit of a tile.
  struct Counts {
    std::size_t n_rows = 0;
    BitLine occupied;  // Bits that any row has.
    std::size_t n_occupied = 0;
    // The number of each column; if few columns are occupied, only their numbers are valid.
    std::vector<std::uint32_t> numbers = std::vector<std::uint32_t>(kColumns);

    void clear() {
      n_rows = n_occupied = 0;
      occupied = {};
      std::ranges::fill(numbers, 0);
    }
    // Whether it takes less time to go through the occupied columns one by one.
    [[nodiscard]] bool is_sparse(const Tile& tile) const {
      return n_occupied * kSparse < tile.n_columns;
    }
    // Calls visit with each occupied column.
    template <typename Visit>
    void for_each_occupied(Visit&& visit) const {
      for (std::size_t word = 0; word < occupied.words.size(); ++word) {
        for (std::uint64_t left = occupied.words[word]; left != 0; left &= left - 1) {
          visit(word * 64 + static_cast<std::size_t>(std::countr_zero(left)));
        }
      }
    }
  };

  [[nodiscard]] static std::size_t n_columns(const RowTable& rows);
  // Estimated memory for the bits.
  [[nodiscard]] static double bytes(const RowTable& rows);

  // Variables with more states than a line has bits are left out.
  StateBits(const RowTable& rows, std::span<const std::int32_t> n_states);

  [[nodiscard]] std::span<const Tile> tiles() const { return tiles_; }
  // The tile of each variable, or kNoTile.
  static constexpr std::uint32_t kNoTile = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t tile_of(std::size_t variable) const { return tile_of_[variable]; }

  static void count(const Tile& tile, std::span<const std::uint32_t> rows, Counts& counts);
  // Adds the counts of other rows.
  static void add(const Tile& tile, const Counts& other, Counts& counts);

 private:
  // A tile is sparse if it has more columns than this for each occupied one.
  static constexpr std::size_t kSparse = 6;

  void add_block(const RowTable& rows, Block block);

  std::vector<Tile> tiles_;
  std::vector<std::uint32_t> tile_of_;
};

}  // namespace credenet
