#include "credenet/families/large_set_scoring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "families/family_helpers.hpp"
#include "small_data.hpp"

using credenet::ChildPrior;
using credenet::ChildRules;
using credenet::Families;
using credenet::FamilyOptions;
using credenet::LargeSetScoring;
using credenet::NoControl;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::ScoreSettings;
using credenet::Status;
using credenet::VariableSet;

namespace {

using Data = SmallData<std::uint8_t>;
using Set = VariableSet<1>;

struct Open {
  Set parents;
  double best = -std::numeric_limits<double>::infinity();
  double guard = -std::numeric_limits<double>::infinity();
  double bound = std::numeric_limits<double>::infinity();
};

// Scores all levels from the first on, whose families are given; each of its sets may be extended.
Families large_sets(const RowTable& rows, const ScoreSettings& settings,
                    const std::vector<ChildRules>& rules, const FamilyOptions& options,
                    const Families& all, std::size_t n_levels, credenet::Control& control) {
  const auto scorer = credenet::make_scorer(settings, rows);
  const std::vector<ChildPrior> priors(rules.begin(), rules.end());
  Families result;
  result.children.resize(rules.size());
  result.n_levels = n_levels;
  result.unscored.resize(rules.size());
  LargeSetScoring<1> families(rows, settings, *scorer, rules, options, control, result);
  for (std::size_t child = 0; child < rules.size(); ++child) {
    std::vector<Open> open;
    const Scores known = scores_of(all.children[child]);
    for (const auto& [parents, score] : known) {
      const std::size_t n_added = parents.size() - rules[child].required.size();
      if (n_added >= n_levels) continue;
      Open set;
      for (const std::uint16_t parent : parents) set.parents.insert(parent);
      for (const auto& [subset, other] : known) {
        if (!std::ranges::includes(parents, subset)) continue;
        Set smaller;
        for (const std::uint16_t parent : subset) smaller.insert(parent);
        set.best = std::max(set.best, other);
        const double plain = other - priors[child].log_factor(smaller);
        set.guard = std::max(set.guard, plain - priors[child].later_rise(smaller));
      }
      if (score >= set.best - options.slack - options.tolerance) {
        result.children[child].add(set.parents, score);
      }
      if (n_added + 1 == n_levels && parents.size() < rules[child].max_parents) {
        open.push_back(set);
      }
    }
    families.add_child(child, priors[child], open);
  }
  families.run();
  return result;
}

std::size_t check_families(const Data& data, const std::vector<std::int32_t>& n_states,
                           const Score* kind, const std::vector<ChildRules>& rules, double ess) {
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  const ScoreSettings settings{kind, ess, n_states};
  NoControl no_control;
  FamilyOptions options;
  options.prune = false;
  const Families all = credenet::score_families(rows, settings, rules, options, no_control);
  options.prune = true;
  std::size_t n_left_out = 0;
  for (const double slack : {0.0, 3.0}) {
    options.slack = slack;
    for (const std::size_t n_levels : {1, 3}) {
      options.n_threads = 1;
      const Families found = large_sets(rows, settings, rules, options, all, n_levels, no_control);
      options.n_threads = 3;
      CHECK(same(found, large_sets(rows, settings, rules, options, all, n_levels, no_control)));
      CHECK(found.status == Status::kComplete);
      CHECK(found.n_evaluated <= all.n_evaluated);
      n_left_out += all.n_evaluated - found.n_evaluated;
      for (std::size_t child = 0; child < rules.size(); ++child) {
        const Scores kept = scores_of(found.children[child]);
        const Scores expected = scores_of(all.children[child]);
        for (const auto& [parents, score] : kept) CHECK(expected.at(parents) == score);
        for (const auto& [parents, score] : expected) {
          double best = -std::numeric_limits<double>::infinity();
          for (const auto& [subset, other] : expected) {
            if (subset != parents && std::ranges::includes(parents, subset)) {
              best = std::max(best, other);
            }
          }
          CHECK(kept.contains(parents) == (score >= best - slack - options.tolerance));
        }
      }
    }
  }
  return n_left_out;
}

void check_limits(Random& random) {
  constexpr std::size_t kVariables = 10;
  const Data data(60, kVariables, 2, 0.5, random);
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, {});
  const std::vector<std::int32_t> n_states(kVariables, 2);
  const ScoreSettings settings{&credenet::scores::bdeu, 1, n_states};
  const std::vector<ChildRules> rules = free_rules(kVariables, kVariables - 1);
  NoControl no_control;
  FamilyOptions options;
  options.prune = false;
  const Families all = credenet::score_families(rows, settings, rules, options, no_control);
  options.prune = true;
  options.slack = 2;
  const Families whole = large_sets(rows, settings, rules, options, all, 1, no_control);
  CHECK(whole.status == Status::kComplete);
  const auto check_beginning = [&](const Families& found, Status status) {
    CHECK(found.status == status);
    CHECK(found.n_levels <= whole.n_levels);
    for (std::size_t child = 0; child < kVariables; ++child) {
      Scores expected = scores_of(whole.children[child]);
      std::erase_if(expected, [&](const auto& e) { return e.first.size() >= found.n_levels; });
      CHECK(scores_of(found.children[child]) == expected);
    }
  };
  for (const std::uint64_t work : {1'000, 100'000, 300'000}) {
    options.max_work = work;
    const Families found = large_sets(rows, settings, rules, options, all, 1, no_control);
    check_beginning(found, Status::kIterationLimit);
    CHECK((found.n_levels == 1) == (work == 1'000));
  }
  options.max_work = 0;
  for (const std::size_t most_added : {1, 3, 4}) {
    options.most_added = most_added;
    const Families found = large_sets(rows, settings, rules, options, all, 2, no_control);
    check_beginning(found, Status::kIterationLimit);
    CHECK(found.n_levels == most_added + 1);
    check_unscored(found, all);
  }
  options.most_added = FamilyOptions{}.most_added;
  for (const std::size_t bytes : {1'000, 110'000, 125'000}) {
    options.max_bytes = bytes;
    options.n_threads = 1;
    const Families found = large_sets(rows, settings, rules, options, all, 1, no_control);
    check_beginning(found, Status::kMemoryLimit);
    options.n_threads = 3;
    CHECK(same(found, large_sets(rows, settings, rules, options, all, 1, no_control)));
  }
  options.max_bytes = 0;
  options.n_threads = 1;
  for (const int n_polls : {0, 5, 100}) {
    StopAfter control(n_polls);
    check_beginning(large_sets(rows, settings, rules, options, all, 1, control), Status::kStopped);
  }
}

}  // namespace

int main() {
  Random random(3);
  std::size_t n_left_out = 0;
  for (int repeat = 0; repeat < 12; ++repeat) {
    constexpr std::size_t kVariables = 7;
    Data data(repeat % 2 == 0 ? 30 : 120, kVariables, 2 + repeat % 3 / 2, 0.05 * repeat, random);
    if (repeat % 4 == 3) data.draw_weights(random);
    std::vector<std::int32_t> n_states(kVariables, 3);
    n_states[3] = 4;
    for (const Score* kind : {&credenet::scores::bdeu, &credenet::scores::k2,
                              &credenet::scores::jeffreys, &credenet::scores::bds}) {
      const double ess = std::exp(4 * random.uniform() - 1);
      n_left_out +=
          check_families(data, n_states, kind, free_rules(kVariables, kVariables - 1), ess);
      std::vector<ChildRules> rules = rules_of_all_kinds(kVariables);
      rules[4].log_kappa = 0.5;
      rules[4].expert = {0};
      n_left_out += check_families(data, n_states, kind, rules, ess);
    }
  }
  CHECK(n_left_out > 1000);
  check_limits(random);
  return 0;
}
