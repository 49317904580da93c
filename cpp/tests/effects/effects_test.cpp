#include "credenet/effects/effects.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "check.hpp"
#include "credenet/counts/row_table.hpp"
#include "credenet/effects/adjusted_table.hpp"
#include "credenet/util/random.hpp"

using namespace credenet;

namespace {

constexpr std::size_t kRows = 200;
constexpr std::size_t kVariables = 4;
// The last state of the last variable never occurs.
const std::vector<std::int32_t> kStates{2, 3, 2, 4};

std::vector<std::uint8_t> random_codes() {
  Random random(5);
  std::vector<std::uint8_t> codes(kRows * kVariables);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t variable = 0; variable < kVariables; ++variable) {
      const auto n = static_cast<std::uint64_t>(kStates[variable]) - (variable == 3 ? 1 : 0);
      codes[variable * kRows + row] = static_cast<std::uint8_t>(random.below(n));
    }
    if (random.uniform() < 0.6) codes[kRows + row] = codes[row];
  }
  return codes;
}

struct Answers {
  explicit Answers(std::size_t n_cells, std::size_t n_pairs)
      : means(n_cells),
        least(n_cells),
        most(n_cells),
        low(n_cells),
        high(n_cells),
        sizes(3 * n_pairs) {}
  [[nodiscard]] EffectAnswers view() { return {means, least, most, low, high, sizes, {}}; }
  bool operator==(const Answers&) const = default;

  std::vector<double> means, least, most, low, high, sizes;
};

// The sum over z of p(z) p(y | x, z), by loops over all states.
double slow_mean(const std::vector<std::uint8_t>& codes, std::size_t x, std::size_t y,
                 const std::vector<std::size_t>& set, int x_state, int y_state) {
  int set_states = 1;
  for (const std::size_t member : set) set_states *= kStates[member];
  const double cell = 1.0 / (set_states * kStates[x] * kStates[y]);
  double result = 0;
  for (int z = 0; z < set_states; ++z) {
    double of_z = cell * kStates[x] * kStates[y];
    double of_x = cell * kStates[y];
    double of_y = cell;
    for (std::size_t row = 0; row < kRows; ++row) {
      int state = 0;
      for (const std::size_t member : set)
        state = state * kStates[member] + codes[member * kRows + row];
      if (state != z) continue;
      of_z += 1;
      if (codes[x * kRows + row] != x_state) continue;
      of_x += 1;
      if (codes[y * kRows + row] == y_state) of_y += 1;
    }
    result += of_z / (kRows + 1) * of_y / of_x;
  }
  return result;
}

// Checks x = 0 with the sets {}, {2}, {2, 3} and {1}, and y = 1 and 3.
void test_means_and_threads() {
  const auto codes = random_codes();
  const RowTable rows(codes.data(), kRows, kVariables, {});
  const std::vector<std::int32_t> x{0};
  const std::vector<std::int32_t> y{1, 3};
  const std::vector<std::int32_t> members{2, 2, 3, 1};
  const std::vector<std::int64_t> y_begins{0, 2};
  const std::vector<std::int64_t> set_begins{0, 4};
  const std::vector<std::int64_t> member_begins{0, 0, 1, 3, 4};
  const std::vector<double> weights{0.1, 0.4, 0.3, 0.2};
  const EffectGroups groups{x, y_begins, y, set_begins, weights, member_begins, members};
  const EffectSettings settings{.ess = 1, .level = 0.9, .n_draws = 500, .seed = 9};
  NoControl control;
  Answers found(14, 2);
  CHECK(estimate_effects(rows, kStates, groups, settings, 1, found.view(), control));
  for (int x_state = 0; x_state < 2; ++x_state) {
    for (int y_state = 0; y_state < 3; ++y_state) {
      const auto at = static_cast<std::size_t>(3 * x_state + y_state);
      double of_y = 1.0 / 3;
      for (std::size_t row = 0; row < kRows; ++row) of_y += codes[kRows + row] == y_state ? 1 : 0;
      const double expected = 0.1 * slow_mean(codes, 0, 1, {}, x_state, y_state) +
                              0.4 * slow_mean(codes, 0, 1, {2}, x_state, y_state) +
                              0.3 * slow_mean(codes, 0, 1, {2, 3}, x_state, y_state) +
                              0.2 * of_y / (kRows + 1);
      CHECK(std::abs(found.means[at] - expected) < 1e-12);
      CHECK(found.low[at] < found.means[at] && found.means[at] < found.high[at]);
      CHECK(found.least[at] <= found.means[at] && found.means[at] <= found.most[at]);
    }
  }
  for (const unsigned n_threads : {2U, 5U}) {
    Answers again(14, 2);
    CHECK(estimate_effects(rows, kStates, groups, settings, n_threads, again.view(), control));
    CHECK(again == found);
  }
}

// Checks the draws of x = 0 and y = 3 with the set {2}: those that the intervals are made of.
void test_draws() {
  const auto codes = random_codes();
  const RowTable rows(codes.data(), kRows, kVariables, {});
  const std::vector<std::int32_t> x{0};
  const std::vector<std::int32_t> y{3};
  const std::vector<std::int32_t> members{2};
  const std::vector<std::int64_t> begins{0, 1};
  const std::vector<double> weights{1.0};
  const EffectGroups groups{x, begins, y, begins, weights, begins, members};
  constexpr std::size_t kDraws = 501;  // Quantiles at a level of 0.8 are then draws.
  const EffectSettings settings{.ess = 1, .level = 0.8, .n_draws = kDraws, .seed = 3};
  NoControl control;
  Answers found(8, 1);
  std::vector<double> draws(8 * kDraws);
  EffectAnswers answers = found.view();
  answers.draws = draws;
  CHECK(estimate_effects(rows, kStates, groups, settings, 1, answers, control));
  Answers without(8, 1);
  CHECK(estimate_effects(rows, kStates, groups, settings, 1, without.view(), control));
  CHECK(found == without);
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    double sum = 0;
    for (std::size_t state = 0; state < 4; ++state) sum += draws[state * kDraws + draw];
    CHECK(std::abs(sum - 1) < 1e-12);
  }
  for (std::size_t cell = 0; cell < 8; ++cell) {
    const auto own = std::span(draws).subspan(cell * kDraws, kDraws);
    std::ranges::sort(own);
    // The last state never occurs, so that no row speaks against 0.
    if (cell % 4 == 3) {
      CHECK(found.low[cell] == 0);
    } else {
      CHECK(std::abs(found.low[cell] - own[50]) < 1e-12);
    }
    CHECK(std::abs(found.high[cell] - own[450]) < 1e-12);
  }
}

void test_jensen_shannon() {
  const std::vector<double> same{0.3, 0.7, 0.3, 0.7};
  CHECK(std::abs(jensen_shannon(same, 2, 2, 1)) < 1e-15);
  const std::vector<double> apart{1, 0, 0, 1};
  CHECK(std::abs(jensen_shannon(apart, 2, 2, 1) - std::log(2)) < 1e-15);
}

}  // namespace

int main() {
  test_means_and_threads();
  test_draws();
  test_jensen_shannon();
}
