#include "credenet/counts/row_table.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "check.hpp"
#include "small_data.hpp"

using credenet::BitLine;
using credenet::Random;
using credenet::RowTable;

namespace {

using Counts = std::map<std::vector<std::size_t>, double>;

double weight_of(const RowTable& table, std::size_t row) {
  if (!table.weights().empty()) return table.weights()[row];
  return table.multiplicities().empty() ? 1.0 : table.multiplicities()[row];
}

std::size_t code_of(const RowTable& table, std::size_t row, std::size_t variable) {
  std::size_t code = 0;
  table.visit_column(variable, [&](const auto* codes) { code = codes[row]; });
  return code;
}

Counts counts_of(const RowTable& table, const std::vector<std::uint16_t>& variables) {
  Counts counts;
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    if (weight_of(table, row) == 0) continue;
    std::vector<std::size_t> cell;
    for (const std::uint16_t variable : variables) cell.push_back(code_of(table, row, variable));
    counts[cell] += weight_of(table, row);
  }
  return counts;
}

// Checks that states that occur are renumbered in their order.
template <typename Code>
void check_table(const SmallData<Code>& data, bool merges, Random& random) {
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  CHECK(table.n_variables() == data.n_variables);
  CHECK(table.multiplicities().empty() == !merges);
  CHECK(table.multiplicities().size() == (merges ? table.n_rows() : 0));
  CHECK(merges ? table.n_rows() * 8 <= data.n_rows : table.n_rows() == data.n_rows);
  CHECK(table.weights().size() == data.weights.size());
  double total = 0;
  for (std::size_t row = 0; row < data.n_rows; ++row) total += data.weight(row);
  CHECK(table.total() == total);

  std::vector<std::map<std::size_t, std::size_t>> number(data.n_variables);
  for (std::size_t variable = 0; variable < data.n_variables; ++variable) {
    std::set<std::size_t> states;
    for (std::size_t row = 0; row < data.n_rows; ++row) {
      if (data.weight(row) > 0) states.insert(data.at(row, variable));
    }
    for (const std::size_t state : states) number[variable].emplace(state, number[variable].size());
    CHECK(table.n_observed(variable) == std::max<std::size_t>(states.size(), 1));
    for (std::size_t row = 0; row < table.n_rows(); ++row) {
      CHECK(code_of(table, row, variable) < table.n_observed(variable));
    }
  }
  for (int repeat = 0; repeat < 10; ++repeat) {
    const auto variables =
        random_variables(data.n_variables, repeat == 0 ? 1.0 : random.uniform(), random);
    Counts expected;
    for (const auto& [cell, count] : data.counts(variables)) {
      std::vector<std::size_t> renumbered;
      for (std::size_t at = 0; at < cell.size(); ++at) {
        renumbered.push_back(number[variables[at]].at(cell[at]));
      }
      expected[renumbered] = count;
    }
    CHECK(counts_of(table, variables) == expected);
  }
}

// Checks that each row has one bit, in the bitmap of the row's state, and that no bit lies beyond
// the last row.
template <typename Code>
void check_bitmaps(const SmallData<Code>& data, std::size_t bitmap_bytes, std::size_t n_with) {
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, data.weights,
                       bitmap_bytes);
  const std::size_t n_bits = table.n_lines() * BitLine::kRows;
  CHECK(n_bits >= table.n_rows() && n_bits < table.n_rows() + BitLine::kRows);
  std::size_t found = 0;
  for (std::size_t variable = 0; variable < data.n_variables; ++variable) {
    CHECK(table.has_bitmaps(variable) == !table.bitmaps(variable).empty());
    if (!table.has_bitmaps(variable)) continue;
    ++found;
    const auto bitmaps = table.bitmaps(variable);
    CHECK(bitmaps.size() == table.n_observed(variable) * table.n_lines());
    for (std::size_t state = 0; state < table.n_observed(variable); ++state) {
      for (std::size_t bit = 0; bit < n_bits; ++bit) {
        const BitLine& line = bitmaps[state * table.n_lines() + bit / BitLine::kRows];
        const bool is_set = (line.words[bit % BitLine::kRows / 64] >> (bit % 64) & 1) != 0;
        CHECK(is_set == (bit < table.n_rows() && code_of(table, bit, variable) == state));
      }
    }
  }
  CHECK(found == n_with);
}

template <typename Code>
void check_unobserved(Random& random) {
  SmallData<Code> data(1000, 4, 3, 0.5, random);
  for (Code& code : data.codes) code = static_cast<Code>(code * 100 + 5);
  check_table(data, true, random);
  data.draw_weights(random);
  for (std::size_t row = 0; row < data.n_rows; ++row) {
    if (data.weights[row] == 0) data.at(row, 2) = 17;
  }
  check_table(data, false, random);
}

// Checks that whole weights say how often rows occur.
void check_whole_weights(Random& random) {
  SmallData<std::uint8_t> data(300, 3, 2, 0.5, random);
  for (std::size_t row = 0; row < data.n_rows; ++row) {
    data.weights.push_back(static_cast<double>(random.below(4)));
  }
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  CHECK(!table.is_weighted() && table.weights().empty());
  CHECK(table.multiplicities().size() == table.n_rows() && table.n_rows() < data.n_rows);
  double total = 0;
  for (const double weight : data.weights) total += weight;
  CHECK(table.total() == total);
  for (const std::vector<std::uint16_t>& variables :
       {std::vector<std::uint16_t>{1}, std::vector<std::uint16_t>{2, 0, 1}}) {
    CHECK(counts_of(table, variables) == data.counts(variables));
  }
}

}  // namespace

int main() {
  Random random(1);
  check_whole_weights(random);
  for (const std::size_t n_rows : {0, 1, 63}) {
    check_table(SmallData<std::uint8_t>(n_rows, 3, 2, 0, random), false, random);
  }
  for (const std::size_t n_rows : {64, 1000, 40'000}) {
    check_table(SmallData<std::uint8_t>(n_rows, 3, 2, 0.5, random), true, random);
    check_table(SmallData<std::uint16_t>(n_rows, 3, 2, 0.5, random), true, random);
    check_table(SmallData<std::uint8_t>(n_rows, 10, 100, 0.1, random), false, random);
  }
  {  // The first rows promise more than the rest keeps.
    SmallData<std::uint16_t> data(40'000, 2, 60'000, 0, random);
    for (std::size_t row = 0; row < 1 << 14; ++row) data.at(row, 0) = data.at(row, 1) = 1;
    check_table(data, false, random);
  }
  for (const std::size_t n_rows : {1, 63, 512, 513, 1500}) {
    SmallData<std::uint8_t> data(n_rows, 4, 12, 0, random);
    check_bitmaps(data, RowTable::kBitmapBytes, 4);
    check_bitmaps(data, 0, 0);
    data.draw_weights(random);
    check_bitmaps(data, RowTable::kBitmapBytes, 0);
  }
  {  // Columns with few states come first; those with many or beyond the limit have no bitmaps.
    SmallData<std::uint16_t> data(2000, 3, 400, 0, random);
    for (std::size_t row = 0; row < data.n_rows; ++row) {
      data.at(row, 0) = static_cast<std::uint16_t>(data.at(row, 0) % 5);
      data.at(row, 2) = static_cast<std::uint16_t>(data.at(row, 2) % 2);
    }
    check_bitmaps(data, RowTable::kBitmapBytes, 2);
    check_bitmaps(data, 2 * 4 * sizeof(BitLine), 1);
    check_bitmaps(data, 7 * 4 * sizeof(BitLine), 2);
  }
  for (const double copied : {0.0, 0.9}) {
    SmallData<std::uint8_t> data(1000, 5, 4, copied, random);
    data.draw_weights(random);
    check_table(data, false, random);
  }
  check_unobserved<std::uint8_t>(random);
  check_unobserved<std::uint16_t>(random);
  check_table(SmallData<std::uint8_t>(5000, 2, 256, 0, random), false, random);
  check_table(SmallData<std::uint16_t>(5000, 3, 1 << 16, 0.5, random), false, random);
  check_table(SmallData<std::uint16_t>(20'000, 2, 300, 1.0, random), true, random);
  {
    SmallData<std::uint16_t> data(3000, 3, 1000, 0.5, random);
    data.draw_weights(random);
    check_table(data, false, random);
    data.weights.assign(data.n_rows, 0.0);
    check_table(data, false, random);
  }
  return 0;
}
