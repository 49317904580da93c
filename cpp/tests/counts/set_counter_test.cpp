#include "credenet/counts/set_counter.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "small_data.hpp"

using credenet::Random;
using credenet::RowTable;
using credenet::SetCounter;

namespace {

using Variables = std::vector<std::uint16_t>;

std::vector<double> counts_of(SetCounter& counter, const Variables& variables) {
  std::vector<double> counts;
  counter.count(variables, [&](double count) { counts.push_back(count); });
  return counts;
}

template <typename Code>
void check_counts(const SmallData<Code>& data, bool merges, Random& random) {
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  CHECK(table.multiplicities().empty() == !merges);
  std::vector<Variables> sets{{}};
  for (std::uint16_t variable = 0; variable < data.n_variables; ++variable) {
    sets.push_back({variable});
  }
  for (int repeat = 0; repeat < 60; ++repeat) {
    sets.push_back(random_variables(data.n_variables, random.uniform(), random));
  }
  SetCounter at_random(table);
  for (const Variables& variables : sets) {
    std::vector<double> counts = counts_of(at_random, variables);
    std::vector<double> expected;
    for (const auto& [cell, count] : data.counts(variables)) expected.push_back(count);
    if (variables.empty()) expected = {table.total()};
    SetCounter alone(table);
    CHECK(counts_of(alone, variables) == counts);
    std::ranges::sort(counts);
    std::ranges::sort(expected);
    CHECK(counts == expected);  // the same digits: every cell is summed in row order
  }
  std::ranges::sort(sets);
  SetCounter in_order(table);
  for (const Variables& variables : sets) {
    SetCounter alone(table);
    CHECK(counts_of(in_order, variables) == counts_of(alone, variables));
  }
}

template <typename Code>
void check_with_weights(SmallData<Code> data, bool merges, Random& random) {
  check_counts(data, merges, random);
  data.draw_weights(random);
  check_counts(data, false, random);
}

}  // namespace

int main() {
  Random random(1);
  for (const std::size_t n_rows : {0, 1, 5, 50, 333}) {
    check_with_weights(SmallData<std::uint8_t>(n_rows, 6, 5, 0.3, random), false, random);
  }
  check_with_weights(SmallData<std::uint8_t>(2000, 4, 3, 0.5, random), true, random);
  check_with_weights(SmallData<std::uint8_t>(3000, 9, 3, 0.2, random), false, random);
  check_with_weights(SmallData<std::uint16_t>(1500, 3, 700, 0.5, random), false, random);
  check_with_weights(SmallData<std::uint16_t>(100, 2, 1 << 16, 0.5, random), false, random);
  return 0;
}
