#include "credenet/independence/data_judge.hpp"

#include <cmath>
#include <map>
#include <set>

#include "check.hpp"
#include "credenet/counts/row_counter.hpp"
#include "credenet/util/chi_square.hpp"
#include "small_data.hpp"
#include "stop_at.hpp"

using namespace credenet;

namespace {

using Table = std::vector<std::vector<double>>;

// The tables of the strata that occur, with the declared states of both variables.
template <typename Code>
std::vector<Table> strata_of(const SmallData<Code>& data, const Question& question, std::size_t n_x,
                             std::size_t n_y) {
  std::vector<std::uint16_t> variables;
  for (const Node variable : question.given) {
    variables.push_back(static_cast<std::uint16_t>(variable));
  }
  variables.push_back(static_cast<std::uint16_t>(question.x));
  variables.push_back(static_cast<std::uint16_t>(question.y));
  std::map<std::vector<std::size_t>, Table> strata;
  for (const auto& [cell, count] : data.counts(variables)) {
    Table& table = strata[{cell.begin(), cell.end() - 2}];
    table.resize(n_x, std::vector<double>(n_y));
    table[cell.end()[-2]][cell.back()] = count;
  }
  std::vector<Table> result;
  for (auto& [state, table] : strata) result.push_back(std::move(table));
  return result;
}

double dirichlet(const std::vector<double>& counts, double prior) {
  const double all_prior = prior * static_cast<double>(counts.size());
  double sum = 0;
  double all = 0;
  for (const double count : counts) {
    sum += std::lgamma(prior + count) - std::lgamma(prior);
    all += count;
  }
  return sum + std::lgamma(all_prior) - std::lgamma(all_prior + all);
}

// The evidence by the formulas, one stratum after another; Steck's as the difference of two scores
// of y.
Evidence slow(const std::vector<Table>& strata, const TestSettings& settings, double n_states,
              double n_strata, double total) {
  Evidence found;
  const double n_x = n_states;
  const double n_y = n_states;
  if (settings.freedom == FreedomRule::kClassical) {
    found.degrees_of_freedom = (n_x - 1) * (n_y - 1) * n_strata;
  }
  for (const Table& table : strata) {
    std::vector<double> of_x(table.size());
    std::vector<double> of_y(table[0].size());
    std::vector<double> cells;
    double all = 0;
    for (std::size_t x = 0; x < table.size(); ++x) {
      for (std::size_t y = 0; y < of_y.size(); ++y) {
        of_x[x] += table[x][y];
        of_y[y] += table[x][y];
        all += table[x][y];
        cells.push_back(table[x][y]);
      }
    }
    double used_x = 0;
    double used_y = 0;
    for (const double count : of_x) used_x += count > 0 ? 1 : 0;
    for (const double count : of_y) used_y += count > 0 ? 1 : 0;
    if (settings.freedom == FreedomRule::kObserved) {
      found.degrees_of_freedom += (n_x - 1) * (n_y - 1);
    } else if (settings.freedom == FreedomRule::kAdjusted) {
      found.degrees_of_freedom += (used_x - 1) * (used_y - 1);
    }
    if (settings.kind == TestKind::kNatori) {
      found.statistic += dirichlet(of_x, settings.prior) + dirichlet(of_y, settings.prior) -
                         dirichlet(cells, settings.prior);
    } else if (settings.kind == TestKind::kSteck) {
      const double prior = settings.prior / n_strata / n_y;
      found.statistic += dirichlet(of_y, prior);
      for (const auto& row : table) found.statistic -= dirichlet(row, prior / n_x);
    } else {
      for (std::size_t x = 0; x < table.size(); ++x) {
        for (std::size_t y = 0; y < of_y.size(); ++y) {
          const double expected = of_x[x] * of_y[y] / all;
          if (!(expected > 0)) continue;
          if (settings.kind == TestKind::kChiSquared) {
            found.statistic += std::pow(table[x][y] - expected, 2) / expected;
          } else if (table[x][y] > 0) {
            const double term = table[x][y] * std::log(table[x][y] / expected);
            found.statistic += settings.kind == TestKind::kG2 ? 2 * term : term / total;
          }
        }
      }
    }
  }
  return found;
}

constexpr std::array kKinds{TestKind::kNatori, TestKind::kSteck, TestKind::kG2,
                            TestKind::kChiSquared, TestKind::kMutualInformation};
constexpr std::array kRules{FreedomRule::kClassical, FreedomRule::kObserved,
                            FreedomRule::kAdjusted};

template <typename Code>
void check(const SmallData<Code>& data, std::int32_t n_states, std::size_t n_questions,
           Random& random) {
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  const std::vector<std::int32_t> states(data.n_variables, n_states);
  std::vector<std::vector<Node>> sets(n_questions);
  std::vector<Question> questions;
  for (auto& given : sets) {
    const auto x = static_cast<Node>(random.below(data.n_variables));
    auto y = static_cast<Node>(random.below(data.n_variables - 1));
    if (y >= x) ++y;
    for (const auto variable : random_variables(data.n_variables, 0.3 * random.uniform(), random)) {
      if (variable != x && variable != y) given.push_back(variable);
    }
    questions.push_back({x, y, given});
  }
  for (const TestKind kind : kKinds) {
    const bool has_freedom = kind == TestKind::kG2 || kind == TestKind::kChiSquared;
    const TestSettings settings{.kind = kind,
                                .prior = kind == TestKind::kSteck ? 1.0 : 0.5,
                                .threshold = has_freedom                            ? 0.05
                                             : kind == TestKind::kMutualInformation ? 0.003
                                                                                    : 0.0,
                                .freedom = kRules[random.below(3)],
                                .min_rows_per_cell = random.below(2) == 0 ? 0.0 : 1.5};
    DataJudge judge(rows, states, settings, 1);
    DataJudge threaded(rows, states, settings, 3);
    std::vector<Answer> answers(n_questions);
    std::vector<Answer> others(n_questions);
    std::vector<Evidence> evidence(n_questions);
    NoControl control;
    CHECK(judge.answer(questions, answers, control));
    CHECK(threaded.answer(questions, others, control));
    CHECK(threaded.evidence(questions, evidence, control));
    for (std::size_t at = 0; at < n_questions; ++at) {
      const Question& question = questions[at];
      const Evidence& found = evidence[at];
      CHECK(found.answer.independent == answers[at].independent);
      CHECK(found.answer.association == answers[at].association);
      CHECK(others[at].independent == answers[at].independent);
      CHECK(others[at].association == answers[at].association);
      CHECK(others[at].refused == answers[at].refused);
      CHECK(found.answer.refused == answers[at].refused);
      const double cells = std::pow(n_states, static_cast<double>(question.given.size() + 2));
      const bool is_refused = n_states > 1 && rows.total() / cells < settings.min_rows_per_cell;
      CHECK(answers[at].refused == is_refused);
      const auto n = static_cast<std::size_t>(n_states);
      const Evidence expected =
          slow(strata_of(data, question, n, n), settings, n_states,
               std::pow(n_states, static_cast<double>(question.given.size())), rows.total());
      const double scale = 1e-9 * std::max(1.0, rows.total());
      CHECK(std::abs(found.statistic - expected.statistic) < scale);
      if (has_freedom) CHECK(found.degrees_of_freedom == expected.degrees_of_freedom);
      if (is_refused) {
        CHECK(!answers[at].independent);
        CHECK(answers[at].association == 0);
      } else if (has_freedom) {
        const double tail = chi_square_tail(expected.statistic, expected.degrees_of_freedom);
        if (std::abs(tail - 0.05) > 1e-9) CHECK(answers[at].independent == (tail > 0.05));
      } else if (std::abs(expected.statistic - settings.threshold) > 1e-7) {
        const bool above = expected.statistic > settings.threshold;
        CHECK(answers[at].independent == (kind == TestKind::kMutualInformation ? !above : above));
      }
    }
    StopAt stop(1);
    CHECK(!judge.answer(questions, answers, stop));
  }
}

}  // namespace

int main() {
  Random random(5);
  for (const std::size_t n_rows : {1, 2, 20, 300}) {
    for (int repeat = 0; repeat < 4; ++repeat) {
      SmallData<std::uint8_t> data(n_rows, 7, 3, 0.5, random);
      check(data, 3 + repeat % 2, 30, random);
      data.draw_weights(random);
      check(data, 3, 30, random);
    }
  }
  // Questions for several blocks.
  check(SmallData<std::uint8_t>(3000, 9, 2, 0.7, random), 2, 1500, random);
  // Tables with many cells.
  check(SmallData<std::uint8_t>(1000, 9, 9, 0.7, random), 9, 60, random);
  check(SmallData<std::uint8_t>(kBlockRows + 500, 5, 3, 0.8, random), 3, 40, random);
  return 0;
}
