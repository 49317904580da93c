#include "credenet/counts/table_counter.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "credenet/counts/table_cells.hpp"

namespace credenet {
namespace {

// Approximate cells of the strata of one block.
constexpr std::size_t kStrataCells = std::size_t{1} << 16;

}  // namespace

std::uint64_t n_cells_of(const CountSource& source, std::span<const std::uint16_t> variables) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t n_cells = 1;
  for (const std::uint16_t variable : variables) {
    if (n_cells > kMost / source.n_observed(variable)) {
      throw std::length_error("a table of " + std::to_string(variables.size()) +
                              " variables has too many cells to be counted from rows that are not "
                              "in memory");
    }
    n_cells *= source.n_observed(variable);
  }
  return n_cells;
}

void TableCounter::fill(const SetBatch& sets, TableShape shape, BatchPlace& place,
                        TableBlock& block) {
  block.tables.clear();
  block.counts.clear();
  const std::uint64_t n_cells = n_cells_of(source_, sets[place.set]);
  if (n_cells <= kMostCells) {
    fill_small(sets, shape, place, block);
  } else {
    fill_large(sets[place.set], n_cells, shape, place, block);
  }
}

void TableCounter::fill_small(const SetBatch& sets, TableShape shape, BatchPlace& place,
                              TableBlock& block) {
  together_.clear();
  std::size_t n_together = 0;
  std::size_t end = place.set;
  for (; end < sets.size(); ++end) {
    const std::uint64_t n_cells = n_cells_of(source_, sets[end]);
    if (n_cells > kMostCells || (n_together > 0 && n_together + n_cells > kMostTogether)) break;
    if (sets[end].empty()) continue;
    together_.add(sets[end]);
    n_together += n_cells;
  }
  if (n_together > 0) count_tables(together_, block.counts);
  std::size_t begin = 0;
  for (; place.set < end; ++place.set) {
    if (sets[place.set].empty()) {
      block.tables.push_back({place.set, block.counts.size(), 1});
      block.counts.push_back(static_cast<std::uint32_t>(source_.total()));
      continue;
    }
    const auto n_cells = static_cast<std::size_t>(n_cells_of(source_, sets[place.set]));
    const std::size_t size = shape == TableShape::kOccupied
                                 ? keep_occupied(block.counts.data() + begin, n_cells)
                                 : n_cells;
    block.tables.push_back({place.set, begin, size});
    begin += n_cells;
  }
}

void TableCounter::fill_large(std::span<const std::uint16_t> variables, std::uint64_t n_cells,
                              TableShape shape, BatchPlace& place, TableBlock& block) {
  if (place.part == 0) {
    large_.cells.clear();
    large_.counts.clear();
    count_cells(variables, large_);
  }
  if (shape == TableShape::kStrata) {
    const auto pair = variables.last(2);
    append_strata(std::size_t{source_.n_observed(pair[0])} * source_.n_observed(pair[1]), place,
                  block);
    return;
  }
  if (shape == TableShape::kOccupied) {
    block.counts = large_.counts;
  } else {
    block.counts.assign(static_cast<std::size_t>(n_cells), 0);
    for (std::size_t at = 0; at < large_.cells.size(); ++at) {
      block.counts[static_cast<std::size_t>(large_.cells[at])] = large_.counts[at];
    }
  }
  block.tables.push_back({place.set, 0, block.counts.size()});
  ++place.set;
}

// Appends the tables of the pair given each joint state of the others that occurs. The part of the
// place is the next occupied cell.
void TableCounter::append_strata(std::size_t pair_cells, BatchPlace& place,
                                 TableBlock& block) const {
  std::size_t at = place.part;
  while (at < large_.cells.size() && block.counts.size() < kStrataCells) {
    const std::uint64_t stratum = large_.cells[at] / pair_cells;
    const std::size_t begin = block.counts.size();
    block.counts.resize(begin + pair_cells);
    for (; at < large_.cells.size() && large_.cells[at] / pair_cells == stratum; ++at) {
      block.counts[begin + static_cast<std::size_t>(large_.cells[at] % pair_cells)] =
          large_.counts[at];
    }
  }
  block.tables.push_back({place.set, 0, block.counts.size()});
  if (at < large_.cells.size()) {
    place.part = at;
  } else {
    place = {place.set + 1, 0};
  }
}

}  // namespace credenet
