// The test checks that rows in blocks of bit planes are counted as rows in memory, small and large
// tables alike.
#include "credenet/counts/block_table.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "counts/packed_blocks.hpp"
#include "credenet/counts/function_source.hpp"
#include "credenet/counts/row_table.hpp"

using namespace credenet;

namespace {

using Tables = std::vector<std::vector<std::uint32_t>>;

Tables tables_of(const CountSource& source, const SetBatch& sets, TableShape shape) {
  Tables tables(sets.size());
  const auto add = [&](std::size_t at, const auto& counts) {
    tables[at].insert(tables[at].end(), counts.begin(), counts.end());
  };
  const auto counter = source.counter();
  if (shape == TableShape::kOccupied) counter->count(sets, add);
  if (shape == TableShape::kAll) counter->count_all(sets, add);
  if (shape == TableShape::kStrata) counter->count_strata(sets, add);
  return tables;
}

template <typename Code>
void check_tables(std::size_t n_rows, std::uint64_t n_states, bool merge, Random& random) {
  SmallData<Code> data(n_rows, 9, n_states, 0.5, random);
  for (std::size_t variable = 0; variable < data.n_variables; ++variable) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (merge && row % 2 == 1) data.at(row, variable) = data.at(row - 1, variable);
      if (variable == 3) data.at(row, variable) = 0;  // The column is constant.
      // The variable lacks state 1.
      if (variable == 4 && data.at(row, 4) == 1) data.at(row, variable) = 0;
    }
  }
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, {});
  const PackedBlocks packed(data, 1024, merge);
  const BlockTable blocks = packed.table();
  CHECK(blocks.total() == rows.total() && blocks.rows() == nullptr);
  FunctionSource::Functions functions;
  functions.tables = [&](const SetBatch& sets, std::vector<std::uint32_t>& counts) {
    for (const auto& table : tables_of(rows, sets, TableShape::kAll)) {
      counts.insert(counts.end(), table.begin(), table.end());
    }
  };
  functions.cells = [&](std::span<const std::uint16_t> variables, CellCounts& found) {
    for (const auto& [cell, count] : data.counts(variables)) {
      std::uint64_t number = 0;
      for (std::size_t at = 0; at < variables.size(); ++at) {
        const auto codes = rows.observed(variables[at]);
        const auto place = std::ranges::lower_bound(codes, cell[at]) - codes.begin();
        number = number * codes.size() + static_cast<std::uint64_t>(place);
      }
      found.cells.push_back(number);
      found.counts.push_back(static_cast<std::uint32_t>(count));
    }
  };
  const FunctionSource function(packed.observed, data.n_rows, functions);
  for (const TableShape shape : {TableShape::kOccupied, TableShape::kAll, TableShape::kStrata}) {
    // There would be gigabytes of empty cells.
    if (n_states > 100 && shape != TableShape::kOccupied) continue;
    SetBatch sets;
    for (std::size_t at = 0; at < 24; ++at) {
      const auto variables = random_variables(data.n_variables, at % 2 == 0 ? 0.3 : 0.7, random);
      if (shape == TableShape::kStrata && variables.size() < 2) continue;
      if (shape == TableShape::kAll && variables.size() > 4) continue;
      if (n_states > 100 && variables.size() > 7) continue;  // Cells are numbered with 63 bits.
      sets.add(variables);
    }
    const Tables expected = tables_of(rows, sets, shape);
    CHECK(tables_of(blocks, sets, shape) == expected);
    CHECK(tables_of(function, sets, shape) == expected);
  }
}

void check_too_large(Random& random) {
  const SmallData<std::uint16_t> data(5000, 9, 400, 0.0, random);
  const PackedBlocks packed(data, 1024, false);
  const BlockTable blocks = packed.table();
  SetBatch sets;
  sets.add(std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  bool is_refused = false;
  try {
    tables_of(blocks, sets, TableShape::kOccupied);
  } catch (const std::length_error&) {
    is_refused = true;
  }
  CHECK(is_refused);
}

}  // namespace

int main() {
  Random random(5);
  for (const bool merge : {false, true}) {
    for (const std::size_t n_rows : {2UL, 512UL, 1500UL, 40'000UL}) {
      check_tables<std::uint8_t>(n_rows, 3, merge, random);
      check_tables<std::uint8_t>(n_rows, 13, merge, random);
      check_tables<std::uint16_t>(n_rows, 400, merge, random);
    }
  }
  check_too_large(random);
  return 0;
}
