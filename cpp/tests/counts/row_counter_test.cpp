#include "credenet/counts/row_counter.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "check.hpp"
#include "small_data.hpp"

using credenet::counting_method;
using credenet::CountingMethod;
using credenet::kBlockRows;
using credenet::Random;
using credenet::RowCounter;
using credenet::RowTable;
using credenet::SetBatch;

namespace {

using Variables = std::vector<std::uint16_t>;
using Pair = std::pair<std::uint16_t, std::uint16_t>;

constexpr std::optional<CountingMethod> kMethods[] = {std::nullopt, CountingMethod::kBitmap,
                                                      CountingMethod::kKey, CountingMethod::kCells};

std::vector<std::vector<double>> counts_of(RowCounter& counter,
                                           const std::vector<Variables>& sets) {
  SetBatch batch;
  for (const Variables& variables : sets) batch.add(variables);
  std::vector<std::vector<double>> found;
  counter.count(batch, [&](std::size_t at, const auto& counts) {
    CHECK(at == found.size());
    found.emplace_back(counts.begin(), counts.end());
  });
  CHECK(found.size() == sets.size());
  return found;
}

// Checks that every method gives the same digits in the same order, for any order of the sets and
// any split into batches.
template <typename Code>
void check_counts(const SmallData<Code>& data, bool merges, std::size_t n_sets, Random& random) {
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  CHECK(table.multiplicities().empty() == !merges);
  std::vector<Variables> sets{{}};
  for (std::uint16_t variable = 0; variable < data.n_variables; ++variable) {
    sets.push_back({variable});
  }
  for (std::size_t repeat = 0; repeat < n_sets; ++repeat) {
    sets.push_back(random_variables(data.n_variables, random.uniform(), random));
  }
  for (const bool sorted : {false, true}) {
    if (sorted) std::ranges::sort(sets);
    std::vector<std::vector<double>> expected;
    for (const Variables& variables : sets) {
      std::vector<double> counts;
      for (const auto& [cell, count] : data.counts(variables)) counts.push_back(count);
      if (variables.empty()) counts = {table.total()};
      expected.push_back(counts);
    }
    for (const auto method : kMethods) {
      RowCounter counter(table, method);
      CHECK(counts_of(counter, sets) == expected);
      for (std::size_t at = 0; at < sets.size(); at += 7) {
        CHECK(counts_of(counter, {sets[at]})[0] == expected[at]);
      }
    }
  }
}

// Checks all cells of the states that occur, if they are not too many.
template <typename Code>
void check_all_cells(const SmallData<Code>& data, std::size_t n_sets, Random& random) {
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  SetBatch sets;
  std::vector<std::vector<double>> expected;
  for (std::size_t repeat = 0; repeat < n_sets; ++repeat) {
    const Variables variables = random_variables(data.n_variables, random.uniform(), random);
    double n_cells = 1;
    for (const std::uint16_t variable : variables) n_cells *= table.n_observed(variable);
    if (n_cells > 1'000'000) continue;
    sets.add(variables);
    std::vector<double>& counts = expected.emplace_back(static_cast<std::size_t>(n_cells), 0.0);
    if (variables.empty()) counts[0] = table.total();
    for (const auto& [cell, count] : data.counts(variables)) {
      std::size_t at = 0;
      for (std::size_t place = 0; place < variables.size(); ++place) {
        const auto observed = table.observed(variables[place]);
        const auto state = std::ranges::lower_bound(observed, cell[place]) - observed.begin();
        at = at * observed.size() + static_cast<std::size_t>(state);
      }
      if (!variables.empty()) counts[at] = count;
    }
  }
  for (const auto method : kMethods) {
    RowCounter counter(table, method);
    std::size_t next = 0;
    counter.count_all(sets, [&](std::size_t at, const auto& counts) {
      CHECK(at == next++);
      CHECK(std::ranges::equal(counts, expected[at]));
    });
    CHECK(next == sets.size());
  }
}

// Checks, for each pair, the tables of the strata that occur.
template <typename Code>
void check_strata(const SmallData<Code>& data, std::size_t n_repeats, Random& random) {
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  std::vector<std::map<std::size_t, std::size_t>> number(data.n_variables);
  for (std::uint16_t variable = 0; variable < data.n_variables; ++variable) {
    for (const auto& [cell, count] : data.counts(Variables{variable})) {
      number[variable].emplace(cell[0], number[variable].size());
    }
  }
  for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
    Variables conditioning = random_variables(data.n_variables, random.uniform() * 0.7, random);
    Variables others;
    for (std::uint16_t variable = 0; variable < data.n_variables; ++variable) {
      if (!std::ranges::binary_search(conditioning, variable)) others.push_back(variable);
    }
    std::vector<Pair> pairs;
    for (const std::uint16_t first : others) {
      for (const std::uint16_t second : others) {
        const std::size_t n_cells =
            std::size_t{table.n_observed(first)} * table.n_observed(second) *
            (conditioning.empty() ? 1 : std::max<std::size_t>(data.n_rows, 1));
        if (first == second || n_cells > 5'000'000) continue;
        if (random.below(std::max<std::size_t>(data.n_rows, 1)) < 3000) {
          pairs.emplace_back(first, second);
        }
      }
    }
    SetBatch sets;
    std::vector<std::vector<std::vector<double>>> expected;
    for (const auto& [first, second] : pairs) {
      std::map<std::vector<std::size_t>, std::vector<double>> strata;
      Variables all = conditioning;
      all.insert(all.end(), {first, second});
      sets.add(all);
      for (const auto& [cell, count] : data.counts(all)) {
        std::vector<double>& stratum = strata[{cell.begin(), cell.end() - 2}];
        const std::size_t n_second = table.n_observed(second);
        stratum.resize(table.n_observed(first) * n_second);
        stratum[number[first].at(cell.end()[-2]) * n_second + number[second].at(cell.back())] =
            count;
      }
      expected.emplace_back();
      for (const auto& [cell, stratum] : strata) expected.back().push_back(stratum);
    }
    for (const auto method : kMethods) {
      RowCounter counter(table, method);
      std::vector<std::vector<std::vector<double>>> found(pairs.size());
      counter.count_strata(sets, [&](std::size_t at, const auto& stratum) {
        found[at].emplace_back(stratum.begin(), stratum.end());
      });
      CHECK(found == expected);
    }
  }
}

template <typename Code>
void check_all(SmallData<Code> data, bool merges, std::size_t n_sets, Random& random) {
  check_counts(data, merges, n_sets, random);
  check_all_cells(data, n_sets, random);
  check_strata(data, n_sets / 10 + 1, random);
  data.draw_weights(random);
  check_counts(data, false, n_sets, random);
  check_all_cells(data, n_sets, random);
  check_strata(data, n_sets / 10 + 1, random);
}

// Checks states that do not occur, a column with one state, and columns with their own numbers of
// states.
void check_uneven(std::size_t n_rows, Random& random) {
  SmallData<std::uint8_t> data(n_rows, 7, 3, 0.3, random);
  for (std::size_t row = 0; row < n_rows; ++row) {
    data.at(row, 1) = 9;
    data.at(row, 3) = static_cast<std::uint8_t>(random.below(17) * 3);
    data.at(row, 5) = static_cast<std::uint8_t>(random.below(200));
    data.at(row, 6) = static_cast<std::uint8_t>(data.at(row, 6) * 50);
  }
  check_all(data, false, n_rows < kBlockRows ? 40 : 8, random);
}

// Checks that each method is chosen where it should be.
void check_choice(Random& random) {
  const auto chosen = [&](std::size_t n_rows, std::size_t n_variables, std::uint64_t n_states) {
    const SmallData<std::uint8_t> data(n_rows, 12, n_states, 0, random);
    const RowTable table(data.codes.data(), data.n_rows, data.n_variables, {});
    Variables variables(n_variables);
    for (std::uint16_t at = 0; at < n_variables; ++at) variables[at] = at;
    return counting_method(table, variables, std::nullopt);
  };
  CHECK(chosen(1000, 1, 2) == CountingMethod::kBitmap);
  CHECK(chosen(1000, 3, 3) == CountingMethod::kBitmap);
  CHECK(chosen(100'000, 3, 4) == CountingMethod::kBitmap);
  CHECK(chosen(100'000, 2, 60) == CountingMethod::kKey);
  CHECK(chosen(10'000, 4, 6) == CountingMethod::kKey);
  CHECK(chosen(1000, 6, 10) == CountingMethod::kCells);
  CHECK(chosen(100'000, 10, 4) == CountingMethod::kCells);
}

}  // namespace

int main() {
  Random random(1);
  for (const std::size_t n_rows : {0, 1, 5, 50, 63, 64, 65, 333, 512, 513}) {
    check_all(SmallData<std::uint8_t>(n_rows, 6, 5, 0.3, random), false, 60, random);
  }
  check_all(SmallData<std::uint8_t>(2000, 4, 3, 0.5, random), true, 60, random);
  check_all(SmallData<std::uint8_t>(3000, 9, 3, 0.2, random), false, 60, random);
  check_all(SmallData<std::uint16_t>(1500, 3, 700, 0.5, random), false, 30, random);
  check_all(SmallData<std::uint16_t>(100, 2, 1 << 16, 0.5, random), false, 10, random);
  check_all(SmallData<std::uint16_t>(3000, 4, 1 << 16, 0.5, random), false, 10, random);
  check_uneven(1000, random);
  for (const std::size_t n_rows :
       {kBlockRows - 1, kBlockRows, kBlockRows + 1, 2 * kBlockRows + 77}) {
    check_all(SmallData<std::uint8_t>(n_rows, 8, 4, 0.1, random), false, 6, random);
  }
  check_uneven(kBlockRows + 1000, random);
  check_all(SmallData<std::uint8_t>(9 * kBlockRows, 2, 190, 0.9, random), true, 2, random);
  check_all(SmallData<std::uint16_t>(kBlockRows + 9, 3, 600, 0.5, random), false, 4, random);
  check_choice(random);
  return 0;
}
