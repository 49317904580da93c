#include "credenet/local/row_groups.hpp"

#include <utility>

#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

// Most cells that are not renumbered; of more, the occupied ones are numbered.
constexpr double kMostKeys = 65536;
// The rows are gone through in parts side by side: the processor need not wait until the last row
// of a cell is dealt with before it deals with the next.
constexpr std::size_t kParts = 4;

CREDENET_CLONES
void extend_keys(const std::uint8_t* codes, std::size_t n_rows, std::uint16_t n_states,
                 std::uint16_t* keys) {
  for (std::size_t row = 0; row < n_rows; ++row) {
    keys[row] = static_cast<std::uint16_t>(keys[row] * n_states + codes[row]);
  }
}

void extend_keys(const std::uint16_t* codes, std::size_t n_rows, std::uint16_t n_states,
                 std::uint16_t* keys) {
  for (std::size_t row = 0; row < n_rows; ++row) {
    keys[row] = static_cast<std::uint16_t>(keys[row] * n_states + codes[row]);
  }
}

// Calls visit with each row and its part.
template <typename Visit>
void for_each_row(std::size_t n_rows, Visit&& visit) {
  const std::size_t size = n_rows / kParts;
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t part = 0; part < kParts; ++part) visit(part * size + row, part);
  }
  for (std::size_t row = kParts * size; row < n_rows; ++row) visit(row, kParts - 1);
}

}  // namespace

void RowGrouping::find(std::size_t child, std::span<const std::uint16_t> parents, bool with_rows,
                       RowGroups& groups) {
  variables_.assign(parents.begin(), parents.end());
  variables_.push_back(static_cast<std::uint16_t>(child));
  double n_cells = 1;
  for (const std::uint16_t variable : variables_) n_cells *= rows_.n_observed(variable);
  if (n_cells <= kMostKeys) {
    find_keys();
    const std::size_t n_states = rows_.n_observed(child);
    sort(
        keys_.data(), static_cast<std::size_t>(n_cells),
        [n_states](std::size_t cell) { return cell / n_states; }, with_rows, groups);
    return;
  }
  const CellTally::Level& level = cells_.keep(variables_);
  parent_of_.resize(level.n_cells);
  const CellTally::Level& above = cells_.keep(parents);
  for (std::size_t row = 0; row < rows_.n_rows(); ++row) {
    parent_of_[level.cells[row]] = above.cells[row];
  }
  sort(
      level.cells.data(), level.n_cells, [&](std::size_t cell) { return parent_of_[cell]; },
      with_rows, groups);
}

template <typename Cell, typename ParentOf>
void RowGrouping::sort(const Cell* cells, std::size_t n_cells, const ParentOf& parent_of,
                       bool with_rows, RowGroups& groups) {
  const std::size_t n_rows = rows_.n_rows();
  places_.assign(n_cells * kParts, 0);
  for_each_row(n_rows,
               [&](std::size_t row, std::size_t part) { ++places_[cells[row] * kParts + part]; });
  groups.cell_ends.clear();
  groups.parent_ends.clear();
  std::uint32_t place = 0;
  std::size_t last = 0;  // Joint state of the parents of the last cell.
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    const std::uint32_t begin = place;
    for (std::size_t part = 0; part < kParts; ++part) {
      place += std::exchange(places_[cell * kParts + part], place);
    }
    if (place == begin) continue;
    const std::size_t parents = parent_of(cell);
    if (parents != last && begin > 0) {
      groups.parent_ends.push_back(static_cast<std::uint32_t>(groups.cell_ends.size()));
    }
    last = parents;
    groups.cell_ends.push_back(place);
  }
  if (n_rows > 0) groups.parent_ends.push_back(static_cast<std::uint32_t>(groups.cell_ends.size()));
  if (!with_rows) return;
  groups.rows.resize(n_rows);
  for_each_row(n_rows, [&](std::size_t row, std::size_t part) {
    groups.rows[places_[cells[row] * kParts + part]++] = static_cast<std::uint32_t>(row);
  });
}

void RowGrouping::find_keys() {
  keys_.assign(rows_.n_rows(), 0);
  for (const std::uint16_t variable : variables_) {
    const auto n_states = static_cast<std::uint16_t>(rows_.n_observed(variable));
    rows_.visit_column(variable, [&](const auto* codes) {
      extend_keys(codes, keys_.size(), n_states, keys_.data());
    });
  }
}

}  // namespace credenet
