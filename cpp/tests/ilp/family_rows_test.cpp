#include "credenet/ilp/family_rows.hpp"

#include <algorithm>
#include <limits>

#include "check.hpp"
#include "credenet/ilp/small_facets.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"
#include "ilp/draw_cut.hpp"

using namespace credenet;

namespace {

// Checks for n variables that every cut holds for every network.
void test_every_cut_holds(std::size_t n) {
  const AllFamilies all(n);
  FamilyRows rows(all.view());
  for (std::size_t set = 0; set < std::size_t{1} << n; ++set) {
    std::vector<std::int32_t> members;
    for (std::size_t v = 0; v < n; ++v) {
      if ((set >> v & 1) != 0) members.push_back(static_cast<std::int32_t>(v));
    }
    for (std::size_t k = 1; k < members.size(); ++k) {
      rows.add(Cut{static_cast<std::int32_t>(k), members});
    }
    if (members.size() != 4) continue;
    do {
      for (std::size_t facet = 0; facet < small_facets().size(); ++facet) {
        rows.add(Cut{-1 - static_cast<std::int32_t>(facet), members});
      }
    } while (std::ranges::next_permutation(members).found);
  }
  std::vector<double> largest(rows.size(), -1e9);
  for_each_network(all.view(), [&](const std::vector<double>& x) {
    const std::vector<double> violations = rows.violations(x);
    for (std::size_t at = 0; at < largest.size(); ++at) {
      largest[at] = std::max(largest[at], violations[at]);
    }
  });
  // Each cut is tight for some network.
  for (const double violation : largest) CHECK(violation == 0);
}

void test_bounds_hold() {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random.below(4);
    const RandomLists lists(random, n, 5, 3, random.below(3) > 0);
    FamilyRows rows(lists.view());
    std::vector<std::int32_t> numbers;
    std::vector<double> multipliers;
    for (std::size_t k = random.below(8); k > 0; --k) {
      numbers.push_back(rows.add(draw_cut(random, n)));
      multipliers.push_back(static_cast<double>(random.below(100)) / 7);
    }
    std::vector<std::uint8_t> alive(rows.n_families());
    for (auto& life : alive) life = random.below(6) > 0 ? 1 : 0;
    const RowBound bound = rows.bound(numbers, multipliers, alive);
    for (std::size_t f = 0; f < alive.size(); ++f) {
      CHECK((bound.losses[f] == std::numeric_limits<double>::infinity()) == (alive[f] == 0));
      CHECK(bound.losses[f] >= 0);
    }
    for_each_network(lists.view(), [&](const std::vector<double>& x) {
      double most_lost = 0;
      for (std::size_t f = 0; f < x.size(); ++f) {
        if (x[f] == 0) continue;
        if (alive[f] == 0) return;
        most_lost = std::max(most_lost, bound.losses[f]);
      }
      CHECK(score_of_use(lists.view(), x) <= bound.bound - most_lost + 1e-12);
    });
  }
}

// Checks that the bound is known to the last digits if all rows have one number.
void test_bound_is_sharp() {
  const AllFamilies all(3);
  FamilyRows rows(all.view());
  const std::vector<std::int32_t> numbers{rows.add(Cut{1, {0, 1, 2}})};
  const std::vector<double> multipliers{2.5};
  const std::vector<std::uint8_t> alive(rows.n_families(), 1);
  const RowBound bound = rows.bound(numbers, multipliers, alive);
  // The scores are 0, -1, …: the first family of each variable is the empty set, which the row
  // favours.
  CHECK(bound.bound >= -12 + 3 * 2.5 - 2.5 && bound.bound < -12 + 3 * 2.5 - 2.5 + 1e-12);
  CHECK(bound.losses[0] == 0 && std::abs(bound.losses[1] - 3.5) < 1e-12);
}

void test_rows_are_found_again_and_dropped() {
  const AllFamilies all(4);
  FamilyRows rows(all.view());
  const std::int32_t first = rows.add(Cut{1, {0, 1}});
  CHECK(rows.add(Cut{1, {0, 2}}) == first + 1);
  CHECK(rows.add(Cut{1, {0, 1}}) == first);
  const std::size_t before = rows.bytes();
  rows.drop(static_cast<std::size_t>(first));
  CHECK(rows.bytes() < before);
  CHECK(rows.row(0).families.empty());
  CHECK(rows.add(Cut{1, {0, 1}}) == first + 2);
  const std::int32_t linear = rows.add(Row{{1, 3}, {1.0F, 2.0F}, 1.5});
  std::vector<double> x(rows.n_families(), 0.0);
  x[3] = 1;
  CHECK(rows.violations(x)[static_cast<std::size_t>(linear)] == 0.5);
}

// Checks the rows times x by the matrix of all or some columns against the violations.
void test_matrix() {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 2 + random.below(4);
    const RandomLists lists(random, n, 5, 3);
    FamilyRows rows(lists.view());
    std::vector<std::int32_t> numbers;
    for (std::size_t k = random.below(8); k > 0; --k) {
      numbers.push_back(rows.add(draw_cut(random, n)));
    }
    std::vector<std::int32_t> column_of;
    std::vector<double> x;  // Solution with 0 for families without a column.
    std::vector<double> values;
    for (std::size_t f = 0; f < rows.n_families(); ++f) {
      const bool has_column = random.below(3) > 0;
      x.push_back(has_column ? static_cast<double>(1 + random.below(9)) : 0.0);
      column_of.push_back(has_column ? static_cast<std::int32_t>(values.size()) : -1);
      if (has_column) values.push_back(x.back());
    }
    const RowMatrix matrix = rows.matrix(numbers, column_of);
    CHECK(matrix.starts.size() == numbers.size() && matrix.limits.size() == numbers.size());
    const std::vector<double> violations = rows.violations(x);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const auto end = k + 1 < numbers.size() ? static_cast<std::size_t>(matrix.starts[k + 1])
                                              : matrix.columns.size();
      double sum = -matrix.limits[k];
      for (auto at = static_cast<std::size_t>(matrix.starts[k]); at < end; ++at) {
        sum += matrix.coefficients[at] * values[static_cast<std::size_t>(matrix.columns[at])];
      }
      CHECK(sum == violations[static_cast<std::size_t>(numbers[k])]);
    }
  }
}

}  // namespace

int main() {
  for (std::size_t n = 2; n <= 4; ++n) test_every_cut_holds(n);
  test_bounds_hold();
  test_bound_is_sharp();
  test_rows_are_found_again_and_dropped();
  test_matrix();
}
