#include "credenet/counts/set_counter.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace credenet {

void SetCounter::fill_tables(const SetBatch& sets, std::size_t first, std::size_t last) {
  std::size_t size = 0;
  for (std::size_t at = first; at < last; ++at) {
    Plan& plan = plans_[at];
    plan = {};
    if (sets[at].empty()) continue;
    plan.method = counting_method(rows_, sets[at], method_);
    if (plan.method == CountingMethod::kCells) continue;
    plan.n_cells = 1;
    for (const std::uint16_t variable : sets[at]) plan.n_cells *= rows_.n_observed(variable);
    if (plan.method == CountingMethod::kKey)
      plan.n_copies = KeyTally::n_copies(rows_, plan.n_cells);
    plan.begin = size;
    size += plan.n_cells * plan.n_copies;
  }
  if (size == 0) return;
  if (rows_.weights().empty()) {
    counts_.assign(size, 0);
  } else {
    weighted_counts_.assign(size, 0);
  }
  for (std::size_t line = 0; line < rows_.n_lines(); line += kBlockLines) {
    if (rows_.weights().empty()) {
      add_block(sets, first, last, line, counts_);
    } else {
      add_block(sets, first, last, line, weighted_counts_);
    }
  }
}

template <typename Count>
void SetCounter::add_block(const SetBatch& sets, std::size_t first, std::size_t last,
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

template <typename Count>
std::span<const Count> SetCounter::merge_copies(const Plan& plan, std::vector<Count>& counts) {
  Count* table = counts.data() + plan.begin;
  for (std::size_t copy = 1; copy < plan.n_copies; ++copy) {
    const Count* other = table + copy * plan.n_cells;
    for (std::size_t cell = 0; cell < plan.n_cells; ++cell) table[cell] += other[cell];
  }
  return {table, plan.n_cells};
}

template <typename Count>
std::span<const Count> SetCounter::occupied(std::span<const std::uint16_t> variables,
                                            const Plan& plan, std::vector<Count>& counts,
                                            std::vector<Count>& table) {
  if (variables.empty()) {
    table.assign(1, static_cast<Count>(rows_.total()));
    return table;
  }
  std::span<const Count> all;
  if (plan.method == CountingMethod::kCells) {
    cells_.count(variables, table);
    all = table;
  } else {
    all = merge_copies(plan, counts);
    if (table.size() < all.size()) table.resize(all.size());
  }
  std::size_t n_occupied = 0;
  for (const Count count : all) {
    table[n_occupied] = count;
    n_occupied += count > 0 ? 1 : 0;
  }
  return std::span(table).first(n_occupied);
}

void SetCounter::group_rows(std::span<const std::uint16_t> conditioning) {
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

template <typename Count>
void SetCounter::fill_stratum(std::size_t group, std::uint16_t first, std::uint16_t second,
                              std::size_t size, std::vector<Count>& table) const {
  table.assign(size, Count{0});
  const std::size_t n_states = rows_.n_observed(second);
  const auto rows =
      std::span(grouped_rows_)
          .subspan(group_starts_[group], group_starts_[group + 1] - group_starts_[group]);
  rows_.visit_column(first, [&](const auto* first_codes) {
    rows_.visit_column(second, [&](const auto* second_codes) {
      for (const std::uint32_t row : rows) {
        Count& count = table[first_codes[row] * n_states + second_codes[row]];
        if constexpr (std::is_same_v<Count, double>) {
          count += rows_.weights()[row];
        } else {
          count += rows_.multiplicities().empty() ? 1 : rows_.multiplicities()[row];
        }
      }
    });
  });
}

template std::span<const std::uint32_t> SetCounter::merge_copies(const Plan&,
                                                                 std::vector<std::uint32_t>&);
template std::span<const double> SetCounter::merge_copies(const Plan&, std::vector<double>&);
template std::span<const std::uint32_t> SetCounter::occupied(std::span<const std::uint16_t>,
                                                             const Plan&,
                                                             std::vector<std::uint32_t>&,
                                                             std::vector<std::uint32_t>&);
template std::span<const double> SetCounter::occupied(std::span<const std::uint16_t>, const Plan&,
                                                      std::vector<double>&, std::vector<double>&);
template void SetCounter::fill_stratum(std::size_t, std::uint16_t, std::uint16_t, std::size_t,
                                       std::vector<std::uint32_t>&) const;
template void SetCounter::fill_stratum(std::size_t, std::uint16_t, std::uint16_t, std::size_t,
                                       std::vector<double>&) const;

}  // namespace credenet
