#include "credenet/families/explore_families.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "families/family_helpers.hpp"
#include "small_data.hpp"

using credenet::ChildRules;
using credenet::Families;
using credenet::FamilyExplorer;
using credenet::FamilyOptions;
using credenet::NoControl;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::score_families;
using credenet::ScoreSettings;
using credenet::Status;

namespace {

Families explore_families(const RowTable& table, const ScoreSettings& settings,
                          const std::vector<ChildRules>& rules, const FamilyOptions& options,
                          std::size_t max_families, credenet::Control& control) {
  const credenet::CountScorer scorer(table, settings);
  FamilyExplorer explorer(scorer, rules, options, max_families);
  explorer.explore(control);
  return explorer.families();
}

using Data = SmallData<std::uint8_t>;

bool close_to(double a, double b) { return std::abs(a - b) < 1e-9 * std::max(1.0, std::abs(a)); }

// Checks that exploring to the end gives the same families as level by level.
void check_exhausted(const Data& data, const std::vector<std::int32_t>& n_states, const Score* kind,
                     const std::vector<ChildRules>& rules) {
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  const ScoreSettings settings{kind, kEss, n_states};
  NoControl no_control;
  for (const bool prune : {false, true}) {
    for (const double slack : {0.0, 3.0}) {
      FamilyOptions options;
      options.prune = prune;
      options.slack = slack;
      const Families levels = score_families(table, settings, rules, options, no_control);
      const Families found = explore_families(table, settings, rules, options, 0, no_control);
      CHECK(found.status == Status::kComplete);
      CHECK(prune || found.n_evaluated == levels.n_evaluated);
      options.n_threads = 4;
      CHECK(same(found, explore_families(table, settings, rules, options, 0, no_control)));
      for (std::size_t child = 0; child < rules.size(); ++child) {
        const Scores expected = scores_of(levels.children[child]);
        const Scores explored = scores_of(found.children[child]);
        CHECK(std::ranges::is_sorted(found.children[child].scores, std::greater<>{}));
        CHECK(explored.size() == expected.size());
        for (const auto& [parents, score] : expected) CHECK(close_to(explored.at(parents), score));
      }
    }
  }
}

// Checks ten variables, for more than one batch and several levels.
void check_ten_variables(Random& random) {
  for (const std::size_t n_rows : {30, 300}) {
    const Data data(n_rows, 10, 2, 0.7, random);
    const std::vector<std::int32_t> n_states{2, 3, 2, 2, 4, 2, 2, 3, 2, 2};
    for (const Score* kind :
         {&credenet::scores::bic, &credenet::scores::bdeu, &credenet::scores::qnml}) {
      check_exhausted(data, n_states, kind, free_rules(10, 9));
    }
  }
}

// Checks a variable that is the parity of two others: no parent is informative alone.
void check_parity(Random& random) {
  constexpr std::size_t kVariables = 100;
  Data data(300, kVariables, 2, 0.0, random);
  for (std::size_t row = 0; row < data.n_rows; ++row) {
    data.at(row, kVariables - 1) = data.at(row, 3) ^ data.at(row, 77);
  }
  const std::vector<std::int32_t> n_states(kVariables, 2);
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, {});
  std::vector<ChildRules> rules = free_rules(kVariables, 0);
  rules.back() = free_rules(kVariables, 5).back();
  NoControl no_control;
  const Families found = explore_families(table, {&credenet::scores::bdeu, kEss, n_states}, rules,
                                          {}, 40'000, no_control);
  const auto& last = found.children[kVariables - 1];
  CHECK(last.offsets[1] == 2 && last.parents[0] == 3 && last.parents[1] == 77);
}

// Checks that the scored families are there and right, whatever ends the exploration.
void check_limits(Random& random) {
  const Data data(100, 20, 2, 0.6, random);
  const std::vector<std::int32_t> n_states(20, 2);
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, {});
  const ScoreSettings settings{&credenet::scores::bdeu, kEss, n_states};
  const std::vector<ChildRules> rules = free_rules(20, 3);
  FamilyOptions options;
  options.prune = false;
  NoControl no_control;
  const Families all = score_families(table, settings, rules, options, no_control);
  const auto check_part = [&](const Families& families, std::size_t least) {
    std::uint64_t n_families = 0;
    for (std::size_t child = 0; child < rules.size(); ++child) {
      const Scores expected = scores_of(all.children[child]);
      const Scores found = scores_of(families.children[child]);
      CHECK(found.size() >= least);
      n_families += found.size();
      for (const auto& [parents, score] : found) CHECK(close_to(expected.at(parents), score));
    }
    CHECK(n_families == families.n_evaluated);
  };
  double best_before = -std::numeric_limits<double>::infinity();
  for (const std::size_t budget : {1, 2, 19, 20, 21, 50, 300, 1159}) {
    options.n_threads = 1;
    const Families found = explore_families(table, settings, rules, options, budget, no_control);
    CHECK(found.status == Status::kIterationLimit);
    CHECK(found.n_evaluated == 20 * budget);
    check_part(found, budget);
    double best = 0;
    for (const auto& child : found.children) best += child.scores[0];
    CHECK(best >= best_before);
    best_before = best;
    options.n_threads = 3;
    CHECK(same(found, explore_families(table, settings, rules, options, budget, no_control)));
  }
  CHECK(explore_families(table, settings, rules, options, 1161, no_control).status ==
        Status::kComplete);

  StopAfter at_once(0);
  Families stopped = explore_families(table, settings, rules, options, 0, at_once);
  CHECK(stopped.status == Status::kStopped);
  check_part(stopped, 0);
  options.n_threads = 1;
  StopAfter later(60);
  stopped = explore_families(table, settings, rules, options, 0, later);
  CHECK(stopped.status == Status::kStopped);
  check_part(stopped, 17);  // The first batch of each variable is there.

  options.max_bytes = 1000;
  Families limited = explore_families(table, settings, rules, options, 0, no_control);
  CHECK(limited.status == Status::kMemoryLimit);
  check_part(limited, 1);
  options.max_bytes = 1'000'000;
  limited = explore_families(table, settings, rules, options, 0, no_control);
  CHECK(limited.status == Status::kMemoryLimit);
  check_part(limited, 20);
}

// Checks every width of set, with and without room for the shared terms.
void check_many_variables(std::size_t n_variables, Random& random) {
  const Data data(40, n_variables, 3, 0.5, random);
  const std::vector<std::int32_t> n_states(n_variables, 3);
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, {});
  const ScoreSettings settings{&credenet::scores::bic, kEss, n_states};
  const std::vector<ChildRules> rules = free_rules(n_variables, 2);
  FamilyOptions options;
  options.n_threads = 2;
  NoControl no_control;
  const std::size_t budget = n_variables + 40;
  const Families found = explore_families(table, settings, rules, options, budget, no_control);
  options.max_bytes = n_variables * n_variables * 128;
  const Families unshared = explore_families(table, settings, rules, options, budget, no_control);
  CHECK(found.n_evaluated <= n_variables * budget);
  for (std::size_t child = 0; child < n_variables; child += 13) {
    const Scores scores = scores_of(found.children[child]);
    CHECK(!scores.empty());
    for (const auto& [parents, score] : scores_of(unshared.children[child])) {
      const auto other = scores.find(parents);
      CHECK(other == scores.end() || close_to(other->second, score));
    }
    for (const auto& [parents, score] : scores) {
      std::vector<ChildRules> single = free_rules(n_variables, 0);
      single[child].required = parents;
      single[child].candidates = {};
      single[child].max_parents = 2;
      single[child].log_factors = {0, 0, 0};
      const Families alone = score_families(table, settings, single, {}, no_control);
      CHECK(close_to(alone.children[child].scores[0], score));
    }
  }
}

}  // namespace

int main() {
  Random random(1);
  check_five_variables(random, kKinds, check_exhausted);
  check_ten_variables(random);
  check_parity(random);
  check_limits(random);
  for (const std::size_t n_variables : {64, 65, 130, 257}) {
    check_many_variables(n_variables, random);
  }
  return 0;
}
