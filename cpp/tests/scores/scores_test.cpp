// The test compares every score with its formula, from counts of its own, to the last digit: terms
// are added in the order of the cells, and the formulas are evaluated from the left. Abilities are
// checked by what they promise.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "credenet/counts/row_table.hpp"
#include "credenet/scores/count_function.hpp"
#include "credenet/scores/score.hpp"
#include "credenet/scores/set_scorer.hpp"
#include "credenet/util/chi_square.hpp"
#include "small_data.hpp"

using credenet::CountedFamily;
using credenet::log_rising;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::ScoreSettings;
using credenet::SetBatch;
using credenet::SetTerms;

namespace {

using Variables = std::vector<std::uint16_t>;
using Data = SmallData<std::uint8_t>;
using States = std::vector<std::int32_t>;
using Counts = std::map<std::vector<std::size_t>, double>;

constexpr double kEss = 1.5;
constexpr double kAlpha = 0.9;

double product(const Variables& variables, const States& n_states) {
  double result = 1;
  for (const std::uint16_t variable : variables) result *= n_states[variable];
  return result;
}

Variables with_child(const Variables& parents, std::uint16_t child) {
  Variables family = parents;
  family.insert(std::ranges::upper_bound(family, child), child);
  return family;
}

double sum(const Counts& counts, const std::function<double(double)>& function) {
  double total = 0;
  for (const auto& [cell, count] : counts) total += function(count);
  return total;
}

double n_log_n(double count) { return count > 0 ? count * std::log(count) : 0.0; }

// The sum over different counts: each is taken once, times the number of cells that have it.
double sum_by_count(double start, const Counts& counts, double sign,
                    const std::function<double(double)>& function) {
  std::map<double, double> cells;
  for (const auto& [cell, count] : counts) cells[count] += 1;
  for (const auto& [count, number] : cells) start += sign * (number * function(count));
  return start;
}

double expected_score(const Data& data, const States& n_states, std::string_view name,
                      std::uint16_t child, const Variables& parents) {
  const auto of_family = data.counts(with_child(parents, child));
  const auto of_parents = data.counts(parents);
  double total = 0;
  for (std::size_t row = 0; row < data.n_rows; ++row) total += data.weight(row);
  const double r = n_states[child];
  const double q = product(parents, n_states);
  const auto rising = [](double base) {
    return [base](double count) { return log_rising(base, count); };
  };
  if (name == "bdeu") {
    return sum(of_family, rising(kEss / product(with_child(parents, child), n_states))) -
           sum(of_parents, rising(kEss / q));
  }
  if (name == "k2") return sum(of_family, rising(1)) - sum(of_parents, rising(r));
  if (name == "jeffreys") return sum(of_family, rising(0.5)) - sum(of_parents, rising(r / 2));
  if (name == "bds") {
    const double row = kEss / std::max(static_cast<double>(of_parents.size()), 1.0);
    return sum_by_count(sum_by_count(0, of_family, 1, rising(row / r)), of_parents, -1,
                        rising(row));
  }
  const double likelihood = sum(of_family, n_log_n) - sum(of_parents, n_log_n);
  if (name == "log_likelihood") return likelihood;
  if (name == "bic") return likelihood - std::log(total) / 2 * (r - 1) * q;
  if (name == "aic") return likelihood - (r - 1) * q;
  if (name == "mdl") {
    return likelihood - std::log(total) / 2 * (r - 1) * q -
           static_cast<double>(parents.size()) * std::log(static_cast<double>(n_states.size()));
  }
  if (name == "fnml") {
    return likelihood -
           sum(of_parents, [r](double count) { return credenet::log_regret(r, count); });
  }
  if (name == "qnml") {
    credenet::RegretTable regrets(total);
    regrets.extend(r * q);
    return likelihood - regrets(r * q) + regrets(q);
  }
  CHECK(name == "mit");
  States sizes;
  for (const std::uint16_t parent : parents) sizes.push_back(n_states[parent]);
  std::ranges::sort(sizes, std::greater{});
  double chance = 0;
  double cells = r - 1;
  for (const double size : sizes) {
    chance += credenet::chi_square_quantile(kAlpha, cells * (size - 1));
    cells *= size;
  }
  double alone = -n_log_n(total);
  for (const auto& [cell, count] : data.counts(Variables{child})) alone += n_log_n(count);
  return 2 * (likelihood - alone) - chance;
}

void check_score(const Data& data, const States& n_states, const Score& score) {
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  const ScoreSettings settings{&score, kEss, n_states, kAlpha};
  const auto scorer = credenet::make_scorer(settings, rows);
  const auto counter = rows.counter();
  const std::size_t n = n_states.size();
  SetBatch sets;
  for (unsigned bits = 0; bits < 1U << n; ++bits) {
    for (std::uint16_t variable = 0; variable < n; ++variable) {
      if ((bits >> variable & 1) != 0) sets.push_back(variable);
    }
    sets.close();
  }
  scorer->prepare(sets);
  std::vector<SetTerms> terms(sets.size());
  scorer->evaluate(*counter, sets, terms);
  std::vector<CountedFamily> families;
  std::vector<double> expected;
  for (std::uint16_t child = 0; child < n; ++child) {
    for (unsigned bits = 0; bits < 1U << n; ++bits) {
      if ((bits >> child & 1) != 0) continue;
      const Variables parents(sets[bits].begin(), sets[bits].end());
      families.push_back({child, parents.size(), product(parents, n_states),
                          terms[bits | 1U << child], terms[bits]});
      expected.push_back(expected_score(data, n_states, score.name, child, parents));
    }
  }
  std::vector<double> scores(families.size());
  scorer->score(families, scores);
  for (std::size_t at = 0; at < scores.size(); ++at) {
    CHECK(scores[at] == expected[at]);
    CHECK(scorer->score(families[at]) == scores[at]);
    const auto& able = scorer->abilities();
    if (able.has_upper_bound && !able.has_likelihood) CHECK(scores[at] <= 1e-9);
    const double occupied = families[at].family.occupied;
    if (able.bounds_by_occupied) {
      CHECK(scores[at] <= scorer->bound_by_occupied(families[at].child, occupied) + 1e-9);
    }
  }
}

}  // namespace

int main() {
  Random random(17);
  const States n_states{3, 3, 4, 3, 5};
  for (int repeat = 0; repeat < 40; ++repeat) {
    Data data(1 + random.below(120), n_states.size(), 3, 0.8 * random.uniform(), random);
    if (repeat % 3 == 1) {
      data.draw_weights(random);
      data.weights[0] = 1;
    }
    for (const Score* score : credenet::all_scores()) {
      CHECK(credenet::find_score(score->name) == score);
      if (!score->abilities.needs_all_cells) check_score(data, n_states, *score);
    }
  }
  CHECK(credenet::find_score("unknown") == nullptr);
  return 0;
}
