#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "credenet/counts/bitmap_tally.hpp"
#include "credenet/counts/cell_tally.hpp"
#include "credenet/counts/counting_method.hpp"
#include "credenet/counts/key_tally.hpp"
#include "credenet/counts/row_table.hpp"
#include "credenet/counts/set_batch.hpp"

namespace credenet {

// Counts of the joint states of sets of variables. Each set is counted in the way that is estimated
// to be cheapest (CountingMethod). Counts always come in mixed-radix order of the observed states,
// last variable fastest, and each is summed in the order of the rows, so that sums over them do not
// depend on the way. Long data are gone through in blocks of rows, with all sets of a batch counted
// on one block before the next.
class SetCounter {
 public:
  explicit SetCounter(const RowTable& rows, std::optional<CountingMethod> method = std::nullopt)
      : rows_(rows), method_(method), bitmaps_(rows), keys_(rows), cells_(rows) {}

  // Visits every set of the batch in order: its place in the batch, and the counts of the cells
  // that occur (whole numbers, or doubles where rows have weights). The empty set has one cell.
  template <typename Visit>
  void count(const SetBatch& sets, Visit&& visit) {
    in_parts(sets, [&](std::size_t at) {
      if (rows_.weights().empty()) {
        visit(at, occupied(sets[at], plans_[at], counts_, table_));
      } else {
        visit(at, occupied(sets[at], plans_[at], weighted_counts_, weighted_table_));
      }
    });
  }

  // Tables of pairs of variables given the states of others: the last two of each set are the pair.
  // Visits, for each set in order and each joint state of the others that occurs in mixed-radix
  // order, the place of the set and the table of the pair with all cells, the last variable's
  // states fastest. Sets with the same conditioning variables, and then pairs with the same first
  // variable, should be neighbours.
  template <typename Visit>
  void count_strata(const SetBatch& sets, Visit&& visit) {
    group_starts_.clear();
    in_parts(sets, [&](std::size_t at) {
      if (rows_.weights().empty()) {
        visit_strata(sets, at, counts_, table_, visit);
      } else {
        visit_strata(sets, at, weighted_counts_, weighted_table_, visit);
      }
    });
  }

 private:
  // How a set of the batch is counted, and where its table begins if it is filled by blocks.
  struct Plan {
    CountingMethod method = CountingMethod::kCells;
    std::size_t n_cells = 0;
    std::size_t n_copies = 1;
    std::size_t begin = 0;
  };

  // Where the rows are one block, sets are counted and visited one by one; else all together.
  template <typename Visit>
  void in_parts(const SetBatch& sets, Visit&& visit) {
    plans_.resize(sets.size());
    const std::size_t step = rows_.n_rows() <= kBlockRows ? 1 : sets.size();
    for (std::size_t first = 0; first < sets.size(); first += step) {
      fill_tables(sets, first, first + step);
      for (std::size_t at = first; at < first + step; ++at) visit(at);
    }
  }

  template <typename Count, typename Visit>
  void visit_strata(const SetBatch& sets, std::size_t at, std::vector<Count>& counts,
                    std::vector<Count>& table, Visit& visit) {
    const auto pair = sets[at].last(2);
    const std::size_t size =
        static_cast<std::size_t>(rows_.n_observed(pair[0])) * rows_.n_observed(pair[1]);
    const auto visit_stratum = [&](std::span<const Count> stratum) {
      for (const Count count : stratum) {
        if (count > 0) return visit(at, stratum);
      }
    };
    if (plans_[at].method != CountingMethod::kCells) {
      const std::span<const Count> all = merge_copies(plans_[at], counts);
      for (std::size_t begin = 0; begin < all.size(); begin += size) {
        visit_stratum(all.subspan(begin, size));
      }
      return;
    }
    const auto conditioning = sets[at].first(sets[at].size() - 2);
    if (group_starts_.empty() || !std::ranges::equal(conditioning, grouped_by_)) {
      group_rows(conditioning);
    }
    for (std::size_t group = 0; group + 1 < group_starts_.size(); ++group) {
      fill_stratum(group, pair[0], pair[1], size, table);
      visit_stratum(table);
    }
  }

  void fill_tables(const SetBatch& sets, std::size_t first, std::size_t last);
  template <typename Count>
  void add_block(const SetBatch& sets, std::size_t first, std::size_t last, std::size_t first_line,
                 std::vector<Count>& counts);
  template <typename Count>
  [[nodiscard]] std::span<const Count> merge_copies(const Plan& plan, std::vector<Count>& counts);
  template <typename Count>
  [[nodiscard]] std::span<const Count> occupied(std::span<const std::uint16_t> variables,
                                                const Plan& plan, std::vector<Count>& counts,
                                                std::vector<Count>& table);
  void group_rows(std::span<const std::uint16_t> conditioning);
  template <typename Count>
  void fill_stratum(std::size_t group, std::uint16_t first, std::uint16_t second, std::size_t size,
                    std::vector<Count>& table) const;

  const RowTable& rows_;
  std::optional<CountingMethod> method_;
  BitmapTally bitmaps_;
  KeyTally keys_;
  CellTally cells_;
  std::vector<Plan> plans_;
  std::vector<std::uint32_t> counts_;  // tables filled by blocks
  std::vector<double> weighted_counts_;
  std::vector<std::uint32_t> table_;  // one more, for the set being visited
  std::vector<double> weighted_table_;
  std::vector<std::uint16_t> grouped_by_;    // conditioning variables
  std::vector<std::uint32_t> group_starts_;  // rows by their joint state
  std::vector<std::uint32_t> grouped_rows_;
};

}  // namespace credenet
