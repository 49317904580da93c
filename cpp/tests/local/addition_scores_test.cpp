#include "credenet/local/addition_scores.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "credenet/local/counted_sums.hpp"
#include "small_data.hpp"

using credenet::AdditionScores;
using credenet::CountedSums;
using credenet::CountFunction;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::ScoreSettings;
using credenet::WholeFunctions;

namespace {

using Variables = std::vector<std::uint16_t>;

// The sum over the cells of a family less that over the cells of its parents, the slow way.
std::int64_t plain_sum(const SmallData<std::uint8_t>& data, const ScoreSettings& settings,
                       std::uint16_t child, const Variables& parents) {
  WholeFunctions functions(settings, static_cast<double>(data.n_rows));
  double n_cells = 1;
  for (const std::uint16_t parent : parents) n_cells *= settings.n_states[parent];
  std::int64_t sum = 0;
  for (const auto& [_, count] : data.counts(parents)) {
    sum -= functions.of_parents(child, n_cells)(static_cast<std::uint32_t>(count));
  }
  Variables family = parents;
  family.push_back(child);
  for (const auto& [_, count] : data.counts(family)) {
    const double of_family = n_cells * settings.n_states[child];
    sum += functions.of_family(of_family)(static_cast<std::uint32_t>(count));
  }
  return sum;
}

// Data whose columns have one state, few and many.
SmallData<std::uint8_t> mixed_data(std::size_t n_rows, std::size_t n_variables, Random& random) {
  SmallData<std::uint8_t> data(n_rows, n_variables, 6, 0.6, random);
  for (std::size_t row = 0; row < n_rows; ++row) {
    data.at(row, 1) = 3;
    data.at(row, 2) = data.at(row, 0) == 5 ? 1 : 0;
    data.at(row, 3) = static_cast<std::uint8_t>(random.below(40));
  }
  return data;
}

// Checks families one by one and all at once, with the parents in any order.
void check_counted_sums(const SmallData<std::uint8_t>& data, const ScoreSettings& settings,
                        const std::vector<Variables>& parent_sets, unsigned n_threads) {
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, {});
  CHECK(CountedSums::supports(rows, settings));
  CountedSums sums(rows, settings, n_threads);
  for (const bool at_once : {false, true}) {
    std::vector<std::pair<CountedSums::Family, std::int64_t>> asked;
    for (const Variables& parents : parent_sets) {
      for (const std::uint16_t child : {std::uint16_t{4}, std::uint16_t{11}}) {
        const std::size_t n_kept = parents.size() / 2;
        asked.emplace_back(
            sums.ask(child, std::span(parents).subspan(n_kept), std::span(parents).first(n_kept)),
            plain_sum(data, settings, child, parents));
        if (!at_once) sums.count();
      }
    }
    sums.count();
    for (const auto& [family, sum] : asked) CHECK(sums.sum(family) == sum);
    sums.forget();
  }
}

void check_sums(const SmallData<std::uint8_t>& data, const ScoreSettings& settings,
                const std::vector<Variables>& parent_sets, unsigned n_threads) {
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, {});
  CHECK(AdditionScores::supports(rows, settings, n_threads, 1e9));
  AdditionScores scores(rows, settings, n_threads);
  std::vector<AdditionScores::Family> families;
  for (const Variables& parents : parent_sets) {
    families.emplace_back(std::uint16_t{4}, parents);
    families.back().tiles.assign(scores.bits().tiles().size(), 1);
    families.emplace_back(std::uint16_t{4}, parents);  // This family asks for the sum alone.
  }
  scores.find(families);
  for (std::size_t at = 0; at < families.size(); at += 2) {
    const Variables& parents = families[at].parents;
    const std::int64_t sum = plain_sum(data, settings, 4, parents);
    CHECK(families[at].sum == sum);
    CHECK(families[at + 1].sum == sum);
    for (std::uint16_t added = 0; added < data.n_variables; ++added) {
      if (added == 4 || std::ranges::find(parents, added) != parents.end()) continue;
      Variables more = parents;
      more.insert(std::ranges::lower_bound(more, added), added);
      CHECK(families[at].with[added] == plain_sum(data, settings, 4, more));
    }
  }
  check_counted_sums(data, settings, parent_sets, n_threads);
}

// Checks no parents, few cells with many rows, many cells with few rows, and more cells than are
// numbered directly.
void test_sums_are_those_of_plain_counting() {
  Random random(1);
  const std::vector<Variables> parent_sets{{},     {2},          {1, 3},
                                           {0, 5}, {0, 3, 6, 7}, {0, 5, 6, 7, 8, 9, 10}};
  for (const Score* kind : {&credenet::scores::bdeu, &credenet::scores::bic, &credenet::scores::k2,
                            &credenet::scores::jeffreys, &credenet::scores::qnml}) {
    const auto data = mixed_data(300 + random.below(100), 130, random);
    std::vector<std::int32_t> n_states(data.n_variables, 6);
    n_states[1] = 4;
    n_states[2] = 2;
    n_states[3] = 40;
    check_sums(data, {kind, 1.0, n_states}, parent_sets, kind == &credenet::scores::bic ? 3U : 1U);
  }
  const auto many_rows = mixed_data(5000, 12, random);
  std::vector<std::int32_t> n_states(12, 6);
  n_states[3] = 40;
  check_sums(many_rows, {&credenet::scores::bdeu, 2.0, n_states}, {{}, {2}, {0, 5}, {0, 3, 6, 7}},
             2);
}

void test_other_scores_and_rows_are_not_supported() {
  Random random(2);
  SmallData<std::uint8_t> data(50, 3, 3, 0.5, random);
  const std::vector<std::int32_t> n_states(3, 3);
  const RowTable rows(data.codes.data(), 50, 3, {});
  CHECK(AdditionScores::supports(rows, {&credenet::scores::bdeu, 1.0, n_states}, 1, 1e9));
  CHECK(!AdditionScores::supports(rows, {&credenet::scores::bds, 1.0, n_states}, 1, 1e9));
  CHECK(!AdditionScores::supports(rows, {&credenet::scores::bdeu, 1.0, n_states}, 1, 1e3));
  data.draw_weights(random);
  const RowTable weighted(data.codes.data(), 50, 3, data.weights);
  CHECK(!AdditionScores::supports(weighted, {&credenet::scores::bdeu, 1.0, n_states}, 1, 1e9));
}

// Checks that the series, a short table and a long one give the same number, close to ln Gamma.
void test_whole_functions() {
  const std::vector<std::int32_t> n_states(1, 2);
  WholeFunctions functions({&credenet::scores::bdeu, 1.0, n_states}, 3000);
  for (const double n_cells : {1.0, 3.0, 16.0, 17.0, 1000.0, 1e9}) {
    const CountFunction slow = CountFunction::log_rising(1 / n_cells, 3000);
    std::vector<std::int64_t> first;
    for (int use = 0; use < 100; ++use) {
      const auto& function = functions.of_family(n_cells);
      for (std::uint32_t count = 0; count <= 3000; ++count) {
        if (use == 0) {
          first.push_back(function(count));
          CHECK(std::abs(functions.value(function(count)) - slow(count)) < 1e-10);
        }
        CHECK(function(count) == first[count]);
      }
    }
    CHECK(functions.of_family(n_cells).table().size() == 3001);
  }
}

}  // namespace

int main() {
  test_sums_are_those_of_plain_counting();
  test_other_scores_and_rows_are_not_supported();
  test_whole_functions();
}
