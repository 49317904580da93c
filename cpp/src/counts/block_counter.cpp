#include "credenet/counts/block_counter.hpp"

#include <algorithm>
#include <optional>

#include "credenet/counts/cell_map.hpp"
#include "credenet/counts/table_cells.hpp"

namespace credenet {
namespace {

// Cells up to which a table has a place for each, even if most are empty.
constexpr std::uint64_t kMostPlaces = std::uint64_t{1} << 22;

std::vector<std::uint16_t> marked(const std::vector<bool>& marks) {
  std::vector<std::uint16_t> found;
  for (std::size_t variable = 0; variable < marks.size(); ++variable) {
    if (marks[variable]) found.push_back(static_cast<std::uint16_t>(variable));
  }
  return found;
}

}  // namespace

template <typename Visit>
void BlockCounter::for_each_window(Visit&& visit) {
  for (const PlaneRows& block : table_.blocks()) {
    const std::size_t n_lines = (block.n_rows + BitLine::kRows - 1) / BitLine::kRows;
    for (std::size_t line = 0; line < n_lines; line += RowWindow::kLines) {
      window_.load(block, line, std::min(RowWindow::kLines, n_lines - line));
      visit();
    }
  }
  table_.check();
}

// Chooses how each set is counted; returns the size of all tables with their copies.
std::size_t BlockCounter::plan(const SetBatch& sets) {
  std::vector<bool> as_bitmaps(table_.n_variables());
  std::vector<bool> as_codes(table_.n_variables());
  std::size_t size = 0;
  plans_.assign(sets.size(), {});
  window_.clear();
  for (std::size_t at = 0; at < sets.size(); ++at) {
    Plan& plan = plans_[at];
    plan.n_cells = static_cast<std::size_t>(n_cells_of(table_, sets[at]));
    plan.by_bitmap = counting_method(window_, sets[at], std::nullopt) == CountingMethod::kBitmap;
    if (!plan.by_bitmap) {
      plan.n_copies = table_.has_multiplicities() ? 1 : KeyTally::n_copies(window_, plan.n_cells);
    }
    for (const std::uint16_t variable : sets[at]) {
      (plan.by_bitmap ? as_bitmaps : as_codes)[variable] = true;
    }
    plan.begin = size;
    size += plan.n_cells * plan.n_copies;
  }
  window_.need(marked(as_bitmaps), marked(as_codes));
  return size;
}

void BlockCounter::count_tables(const SetBatch& sets, std::vector<std::uint32_t>& counts) {
  work_.assign(plan(sets), 0);
  for_each_window([&] {
    bitmaps_.forget();
    keys_.forget();
    for (std::size_t at = 0; at < sets.size(); ++at) {
      const Plan& plan = plans_[at];
      std::uint32_t* table = work_.data() + plan.begin;
      if (plan.by_bitmap) {
        bitmaps_.add(sets[at], 0, window_.n_lines(), table);
      } else {
        keys_.add(sets[at], 0, window_.n_rows(), plan.n_cells, table);
      }
    }
  });
  for (const Plan& plan : plans_) {
    std::uint32_t* table = work_.data() + plan.begin;
    merge_copies(table, plan.n_cells, plan.n_copies);
    counts.insert(counts.end(), table, table + plan.n_cells);
  }
}

void BlockCounter::count_cells(std::span<const std::uint16_t> variables, CellCounts& found) {
  window_.need({}, {variables.begin(), variables.end()});
  const std::uint64_t n_cells = n_cells_of(table_, variables);
  if (n_cells > kMostPlaces) {
    CellMap map;
    add_keys(variables, [&](std::uint64_t cell, std::uint32_t count) { map.add(cell, count); });
    return map.sorted(found);
  }
  work_.assign(static_cast<std::size_t>(n_cells), 0);
  add_keys(variables, [&](std::uint64_t cell, std::uint32_t count) { work_[cell] += count; });
  for (std::uint64_t cell = 0; cell < n_cells; ++cell) {
    if (work_[cell] == 0) continue;
    found.cells.push_back(cell);
    found.counts.push_back(work_[cell]);
  }
}

// Calls add with the cell of each row and what the row counts for.
template <typename Add>
void BlockCounter::add_keys(std::span<const std::uint16_t> variables, Add&& add) {
  std::vector<std::uint64_t> cells;
  for_each_window([&] {
    cells.assign(window_.n_rows(), 0);
    for (const std::uint16_t variable : variables) {
      const std::uint64_t n_states = table_.n_observed(variable);
      window_.visit_column(variable, [&](const auto* codes) {
        for (std::size_t row = 0; row < cells.size(); ++row) {
          cells[row] = cells[row] * n_states + codes[row];
        }
      });
    }
    const auto multiplicities = window_.multiplicities();
    for (std::size_t row = 0; row < cells.size(); ++row) {
      add(cells[row], multiplicities.empty() ? 1 : multiplicities[row]);
    }
  });
}

}  // namespace credenet
