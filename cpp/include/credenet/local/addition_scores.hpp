#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "credenet/local/row_groups.hpp"
#include "credenet/local/state_bits.hpp"
#include "credenet/local/whole_functions.hpp"

namespace credenet {

// The contribution of counts to the score of a family, and of all families with one parent more:
// the sum over the cells of the family less that over the cells of the parents, in the units of
// WholeFunctions.
class AdditionScores {
 public:
  // Whether rows and score are of the kind that is counted here, and counting fits in most_bytes.
  [[nodiscard]] static bool supports(const CountSource& source, const ScoreSettings& settings,
                                     unsigned n_threads, double most_bytes);
  // Whether this takes less time than to count sets of variables one by one: a line of bits is read
  // whole, however few of its columns are used.
  [[nodiscard]] static bool pays(const RowTable& rows);

  AdditionScores(const RowTable& rows, const ScoreSettings& settings, unsigned n_threads);

  struct Family {
    Family(std::uint16_t of, std::vector<std::uint16_t> given)
        : child(of), parents(std::move(given)) {}

    std::uint16_t child;
    std::vector<std::uint16_t> parents;
    // 1 for tiles whose variables are to be added; empty for none.
    std::vector<std::uint8_t> tiles;
    std::int64_t sum = 0;
    // Sum with each variable that is in a marked tile and not in the family.
    std::vector<std::int64_t> with;
  };

  // Finds the sums of all families.
  void find(std::span<Family> families);

  [[nodiscard]] const StateBits& bits() const { return bits_; }
  [[nodiscard]] double value(std::int64_t sum) const { return functions_.value(sum); }

 private:
  // The functions of the cells of all blocks, tile by tile.
  using Functions = std::vector<const WholeFunction*>;
  struct Prepared {
    RowGroups groups;
    Functions of_family;
    Functions of_parents;
    std::int64_t n_single_cells = 0;    // Cells with one row.
    std::int64_t n_single_parents = 0;  // Joint states of the parents with one row.
  };
  // The sums of a function over the cells of a tile's variables.
  struct TileSums {
    std::vector<std::int64_t> own;    // Sums of each variable.
    std::vector<std::int64_t> every;  // Sums of each block, for each of its variables.
    // Rows of each variable's most frequent state, as found so far.
    std::vector<std::uint32_t> rest;

    void start(const StateBits::Tile& tile);
    void add(const StateBits::Tile& tile, const StateBits::Counts& counts,
             std::span<const WholeFunction* const> functions);
    void add_sparse(const StateBits::Tile& tile, const StateBits::Counts& counts,
                    std::span<const WholeFunction* const> functions);
  };
  struct Worker {
    explicit Worker(const RowTable& rows) : grouping(rows) {}

    RowGrouping grouping;
    StateBits::Counts counts;
    StateBits::Counts parent_counts;
    TileSums family_sums;
    TileSums parent_sums;
  };

  void find_together(std::span<Family> families);
  void find_sum(Family& family, Prepared& prepared);
  void find_functions(const Family& family, Prepared& prepared);
  void add_tile(std::size_t tile, const Prepared& prepared, Worker& worker, Family& family) const;
  [[nodiscard]] double n_cells(std::span<const std::uint16_t> variables) const;

  ScoreSettings settings_;
  std::size_t n_variables_;
  std::size_t n_rows_;
  unsigned n_threads_;
  WholeFunctions functions_;
  StateBits bits_;
  std::vector<Worker> workers_;
  std::vector<Prepared> prepared_;
};

}  // namespace credenet
