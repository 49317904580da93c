#include "credenet/counts/row_counter.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "credenet/counts/table_cells.hpp"

namespace credenet {
namespace {

// Approximate cells of the tables of a block: they stay in the first-level cache.
constexpr std::size_t kBlockCells = std::size_t{1} << 13;

}  // namespace

void RowCounter::fill(const SetBatch& sets, TableShape shape, BatchPlace& place,
                      TableBlock& block) {
  block.tables.clear();
  if (rows_.is_weighted()) {
    fill_counts(sets, shape, place, block.tables, block.weighted_counts);
  } else {
    fill_counts(sets, shape, place, block.tables, block.counts);
  }
}

// If the rows are one block, sets are counted one by one. Otherwise all sets that are counted by
// blocks of rows are counted together when the batch begins; the others are appended.
template <typename Count>
void RowCounter::fill_counts(const SetBatch& sets, TableShape shape, BatchPlace& place,
                             std::vector<TableBlock::Table>& tables, std::vector<Count>& counts) {
  const bool is_one_block = rows_.n_rows() <= kBlockRows;
  if (place.set == 0 && place.part == 0) {
    plans_.resize(sets.size());
    group_starts_.clear();
    counts.clear();
    if (!is_one_block) count_together(sets, shape, 0, sets.size(), counts);
    n_together_ = counts.size();
  }
  counts.resize(n_together_);
  const std::size_t most = n_together_ + kBlockCells;
  for (; place.set < sets.size() && counts.size() < most; ++place.set) {
    const std::size_t at = place.set;
    if (is_one_block) count_together(sets, shape, at, at + 1, counts);
    const Plan& plan = plans_[at];
    const bool is_appended = plan.method == CountingMethod::kCells;
    const std::size_t begin = is_appended ? counts.size() : plan.begin;
    if (sets[at].empty()) {
      counts.push_back(static_cast<Count>(rows_.total()));
    } else if (!is_appended) {
      merge_copies(counts.data() + begin, plan.n_cells, plan.n_copies);
    } else if (shape == TableShape::kStrata) {
      append_strata(sets[at], most, place.part, counts);
    } else if (shape == TableShape::kAll) {
      cells_.count_all(sets[at], counts);
    } else {
      cells_.count(sets[at], counts);
    }
    std::size_t size = is_appended ? counts.size() - begin : plan.n_cells;
    if (shape == TableShape::kOccupied && !sets[at].empty()) {
      size = keep_occupied(counts.data() + begin, size);
    }
    if (is_appended || is_one_block) counts.resize(begin + size);
    tables.push_back({at, begin, size});
    if (place.part != 0) return;  // Strata of this set are left.
  }
}

CountingMethod RowCounter::method_of(std::span<const std::uint16_t> variables,
                                     TableShape shape) const {
  const CountingMethod method = counting_method(rows_, variables, method_);
  if (shape != TableShape::kAll || method != CountingMethod::kCells || method_) return method;
  // Empty cells cannot be left out.
  return counting_method(rows_, variables, CountingMethod::kKey);
}

template <typename Count>
void RowCounter::count_together(const SetBatch& sets, TableShape shape, std::size_t first,
                                std::size_t last, std::vector<Count>& counts) {
  std::size_t size = counts.size();
  for (std::size_t at = first; at < last; ++at) {
    Plan& plan = plans_[at];
    plan = {};
    if (sets[at].empty()) continue;
    plan.method = method_of(sets[at], shape);
    if (plan.method == CountingMethod::kCells) continue;
    plan.n_cells = 1;
    for (const std::uint16_t variable : sets[at]) plan.n_cells *= rows_.n_observed(variable);
    if (plan.method == CountingMethod::kKey)
      plan.n_copies = KeyTally::n_copies(rows_, plan.n_cells);
    plan.begin = size;
    size += plan.n_cells * plan.n_copies;
  }
  if (size == counts.size()) return;
  counts.resize(size);
  for (std::size_t line = 0; line < rows_.n_lines(); line += kBlockLines) {
    add_block(sets, first, last, line, counts);
  }
}

template <typename Count>
void RowCounter::add_block(const SetBatch& sets, std::size_t first, std::size_t last,
                           std::size_t first_line, std::vector<Count>& counts) {
  const std::size_t n_lines = std::min(kBlockLines, rows_.n_lines() - first_line);
  const std::size_t first_row = first_line * BitLine::kRows;
  const std::size_t n_rows = std::min(kBlockRows, rows_.n_rows() - first_row);
  for (std::size_t at = first; at < last; ++at) {
    const Plan& plan = plans_[at];
    Count* table = counts.data() + plan.begin;
    if constexpr (std::is_same_v<Count, std::uint32_t>) {
      if (plan.method == CountingMethod::kBitmap)
        bitmaps_.add(sets[at], first_line, n_lines, table);
    }
    if (plan.method == CountingMethod::kKey) {
      keys_.add(sets[at], first_row, n_rows, plan.n_cells, table);
    }
  }
}

// Appends the tables of the pair given the others, from a group of rows on, until there are at
// least most cells. Then group is the next one, or 0 if there is none.
template <typename Count>
void RowCounter::append_strata(std::span<const std::uint16_t> variables, std::size_t most,
                               std::size_t& group, std::vector<Count>& counts) {
  const auto conditioning = variables.first(variables.size() - 2);
  if (group_starts_.empty() || !std::ranges::equal(conditioning, grouped_by_)) {
    group_rows(conditioning);
  }
  const auto pair = variables.last(2);
  const std::size_t n_states = rows_.n_observed(pair[1]);
  const std::size_t size = rows_.n_observed(pair[0]) * n_states;
  rows_.visit_column(pair[0], [&](const auto* first_codes) {
    rows_.visit_column(pair[1], [&](const auto* second_codes) {
      for (; group + 1 < group_starts_.size() && counts.size() < most; ++group) {
        counts.resize(counts.size() + size);
        Count* const table = counts.data() + counts.size() - size;
        for (std::size_t at = group_starts_[group]; at < group_starts_[group + 1]; ++at) {
          const std::uint32_t row = grouped_rows_[at];
          Count& count = table[first_codes[row] * n_states + second_codes[row]];
          if constexpr (std::is_same_v<Count, double>) {
            count += rows_.weights()[row];
          } else {
            count += rows_.multiplicities().empty() ? 1 : rows_.multiplicities()[row];
          }
        }
      }
    });
  });
  if (group + 1 >= group_starts_.size()) group = 0;
}

void RowCounter::group_rows(std::span<const std::uint16_t> conditioning) {
  grouped_by_.assign(conditioning.begin(), conditioning.end());
  grouped_rows_.resize(rows_.n_rows());
  if (conditioning.empty()) {
    group_starts_ = {0, static_cast<std::uint32_t>(rows_.n_rows())};
    std::iota(grouped_rows_.begin(), grouped_rows_.end(), 0U);
    return;
  }
  const CellTally::Level& level = cells_.keep(conditioning);
  group_starts_.assign(std::size_t{level.n_cells} + 1, 0);
  for (const std::uint32_t cell : level.cells) ++group_starts_[cell];
  std::partial_sum(group_starts_.begin(), group_starts_.end(), group_starts_.begin());
  for (std::size_t row = rows_.n_rows(); row-- > 0;) {
    grouped_rows_[--group_starts_[level.cells[row]]] = static_cast<std::uint32_t>(row);
  }
}

}  // namespace credenet
