#include "credenet/counts/cell_tally.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace credenet {
namespace {

// Cells per row of a table that takes about as long to clear and read as sorting.
constexpr double kCellsPerRow = 32;
constexpr double kFewCells = 4096;  // Cells up to which a table is always cleared and read.

// Appends a table with this many cells.
template <typename Count, typename CellOf>
void append_rows(const RowTable& rows, std::size_t n_cells, std::vector<Count>& counts,
                 CellOf&& cell_of) {
  counts.resize(counts.size() + n_cells, Count{0});
  Count* const table = counts.data() + counts.size() - n_cells;
  const std::size_t n_rows = rows.n_rows();
  if constexpr (std::is_same_v<Count, double>) {
    const auto weights = rows.weights();
    for (std::size_t row = 0; row < n_rows; ++row) table[cell_of(row)] += weights[row];
  } else if (!rows.multiplicities().empty()) {
    const auto multiplicities = rows.multiplicities();
    for (std::size_t row = 0; row < n_rows; ++row) table[cell_of(row)] += multiplicities[row];
  } else {
    for (std::size_t row = 0; row < n_rows; ++row) ++table[cell_of(row)];
  }
}

}  // namespace

bool CellTally::is_too_large(double n_cells) const {
  return n_cells > std::max(kCellsPerRow * static_cast<double>(rows_.n_rows()), kFewCells);
}

template <typename Count>
void CellTally::count(std::span<const std::uint16_t> variables, std::vector<Count>& counts) {
  const std::uint32_t n_states = rows_.n_observed(variables.back());
  if (variables.size() == 1) {
    rows_.visit_column(variables.back(), [&](const auto* codes) {
      append_rows(rows_, n_states, counts, [codes](std::size_t row) { return codes[row]; });
    });
    return;
  }
  const Level& prefix = keep(variables.first(variables.size() - 1));
  if (is_too_large(static_cast<double>(prefix.n_cells) * n_states)) {
    const Level& whole = keep(variables);
    append_rows(rows_, whole.n_cells, counts,
                [cells = whole.cells.data()](std::size_t row) { return cells[row]; });
    return;
  }
  const std::size_t n_cells = static_cast<std::size_t>(prefix.n_cells) * n_states;
  rows_.visit_column(variables.back(), [&](const auto* codes) {
    append_rows(rows_, n_cells, counts,
                [codes, cells = prefix.cells.data(), n_states](std::size_t row) {
                  return static_cast<std::size_t>(cells[row]) * n_states + codes[row];
                });
  });
}

template <typename Count>
void CellTally::count_all(std::span<const std::uint16_t> variables,
                          std::vector<Count>& counts) const {
  std::size_t n_cells = 1;
  std::vector<std::size_t> cells(rows_.n_rows(), 0);
  for (const std::uint16_t variable : variables) {
    const std::size_t n_states = rows_.n_observed(variable);
    n_cells *= n_states;
    rows_.visit_column(variable, [&](const auto* codes) {
      for (std::size_t row = 0; row < cells.size(); ++row) {
        cells[row] = cells[row] * n_states + codes[row];
      }
    });
  }
  append_rows(rows_, n_cells, counts, [&](std::size_t row) { return cells[row]; });
}

const CellTally::Level& CellTally::keep(std::span<const std::uint16_t> variables) {
  std::size_t shared = 0;
  while (shared < depth_ && shared < variables.size() &&
         stack_[shared].variable == variables[shared]) {
    ++shared;
  }
  if (stack_.size() < variables.size()) stack_.resize(variables.size());
  for (depth_ = shared; depth_ < variables.size(); ++depth_) {
    Level& level = stack_[depth_];
    level.variable = variables[depth_];
    level.cells.resize(rows_.n_rows());
    if (depth_ > 0) {
      extend(stack_[depth_ - 1], level);
      continue;
    }
    level.n_cells = rows_.n_observed(level.variable);
    rows_.visit_column(level.variable, [&](const auto* codes) {
      std::copy_n(codes, rows_.n_rows(), level.cells.data());
    });
  }
  return stack_[depth_ - 1];
}

// Rows of weight zero may occupy a cell; its count is then zero, like that of an empty cell.
void CellTally::extend(const Level& above, Level& level) {
  const std::size_t n_rows = rows_.n_rows();
  const std::uint32_t n_states = rows_.n_observed(level.variable);
  level.n_cells = 0;
  rows_.visit_column(level.variable, [&](const auto* codes) {
    const auto cell_of = [&](std::size_t row) {
      return static_cast<std::size_t>(above.cells[row]) * n_states + codes[row];
    };
    if (is_too_large(static_cast<double>(above.n_cells) * n_states)) {
      std::vector<std::pair<std::uint64_t, std::uint32_t>> order(n_rows);
      for (std::size_t row = 0; row < n_rows; ++row) {
        order[row] = {cell_of(row), static_cast<std::uint32_t>(row)};
      }
      std::ranges::sort(order);
      for (std::size_t at = 0; at < n_rows; ++at) {
        if (at == 0 || order[at].first != order[at - 1].first) ++level.n_cells;
        level.cells[order[at].second] = level.n_cells - 1;
      }
      return;
    }
    numbers_.assign(static_cast<std::size_t>(above.n_cells) * n_states, 0);
    for (std::size_t row = 0; row < n_rows; ++row) numbers_[cell_of(row)] = 1;
    for (std::uint32_t& number : numbers_) {
      const std::uint32_t occupied = number;
      number = level.n_cells;
      level.n_cells += occupied;
    }
    for (std::size_t row = 0; row < n_rows; ++row) level.cells[row] = numbers_[cell_of(row)];
  });
}

template void CellTally::count(std::span<const std::uint16_t>, std::vector<std::uint32_t>&);
template void CellTally::count(std::span<const std::uint16_t>, std::vector<double>&);
template void CellTally::count_all(std::span<const std::uint16_t>,
                                   std::vector<std::uint32_t>&) const;
template void CellTally::count_all(std::span<const std::uint16_t>, std::vector<double>&) const;

}  // namespace credenet
