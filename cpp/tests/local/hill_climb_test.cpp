#include "credenet/local/hill_climb.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "credenet/counts/row_table.hpp"
#include "families/networks_of_lists.hpp"
#include "families/random_lists.hpp"
#include "local/parent_sets.hpp"
#include "small_data.hpp"
#include "stop_at.hpp"

using credenet::ClimbResult;
using credenet::DataScores;
using credenet::FamilyLists;
using credenet::hill_climb;
using credenet::HillClimbOptions;
using credenet::LocalScores;
using credenet::NoControl;
using credenet::ParentSets;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::SearchResult;
using credenet::Status;
using credenet::TableScores;

namespace {

using Parents = std::vector<std::uint16_t>;

bool has_no_cycle(const ParentSets& graph) {
  std::vector<bool> gone(graph.size(), false);
  for (std::size_t round = 0; round < graph.size(); ++round) {
    for (std::size_t v = 0; v < graph.size(); ++v) {
      if (std::ranges::all_of(graph[v], [&](std::uint16_t p) { return gone[p]; })) gone[v] = true;
    }
  }
  return std::ranges::all_of(gone, [](bool is_gone) { return is_gone; });
}

double total(LocalScores& scores, const ParentSets& graph) {
  double sum = 0;
  for (std::size_t v = 0; v < graph.size(); ++v) sum += scores.score(v, graph[v]);
  return sum;
}

bool is_allowed(const LocalScores& scores, const ParentSets& graph) {
  for (std::size_t v = 0; v < graph.size(); ++v) {
    if (graph[v].size() > scores.max_parents(v) || !std::ranges::is_sorted(graph[v])) return false;
    for (const std::uint16_t parent : scores.required(v)) {
      if (!contains(graph[v], parent)) return false;
    }
    for (const std::uint16_t parent : graph[v]) {
      if (!contains(scores.required(v), parent) && !contains(scores.candidates(v), parent)) {
        return false;
      }
    }
  }
  return has_no_cycle(graph);
}

bool are_joined(const ParentSets& graph, std::size_t first, std::size_t second) {
  return contains(graph[first], second) || contains(graph[second], first);
}

// Checks that no allowed graph with one edge more, less or turned round that has the required pairs
// joined scores better.
void check_local_optimum(LocalScores& scores, const ParentSets& graph,
                         const HillClimbOptions& options = {}) {
  const double found = total(scores, graph);
  const std::size_t n = graph.size();
  const auto change = [](Parents& parents, std::size_t variable) {
    const auto v = static_cast<std::uint16_t>(variable);
    if (contains(parents, v)) {
      std::erase(parents, v);
    } else {
      parents.insert(std::ranges::lower_bound(parents, v), v);
    }
  };
  for (std::size_t child = 0; child < n; ++child) {
    for (std::size_t parent = 0; parent < n; ++parent) {
      if (child == parent) continue;
      ParentSets other = graph;
      change(other[child], parent);
      if (is_allowed(scores, other) && std::ranges::all_of(options.adjacent, [&](const auto& pair) {
            return are_joined(other, pair.first, pair.second);
          })) {
        CHECK(total(scores, other) <= found + 1e-7);
      }
      if (!contains(graph[child], parent)) continue;
      change(other[parent], child);
      if (is_allowed(scores, other)) CHECK(total(scores, other) <= found + 1e-7);
    }
  }
}

// The climb by its definition: every move is tried on the graph, the first of the best is made.
ParentSets plain_climb(LocalScores& scores, ParentSets graph) {
  const std::size_t n = graph.size();
  const auto toggled = [](ParentSets other, std::size_t child, std::size_t parent) {
    const auto v = static_cast<std::uint16_t>(parent);
    if (std::erase(other[child], v) == 0) {
      other[child].insert(std::ranges::lower_bound(other[child], v), v);
    }
    return other;
  };
  const auto gain_of = [&](std::size_t child, std::uint16_t changed) {
    const credenet::ParentChange change{static_cast<std::uint16_t>(child), changed};
    double gain = 0;
    scores.find_gains(graph, {&change, 1}, {&gain, 1});
    return gain;
  };
  while (true) {
    double best = 1e-9;
    ParentSets next;
    const auto consider = [&](const ParentSets& other, double gain) {
      if (gain <= best || !is_allowed(scores, other)) return;
      best = gain;
      next = other;
    };
    for (std::size_t child = 0; child < n; ++child) {
      for (const std::uint16_t parent : graph[child]) {
        if (contains(scores.required(child), parent)) continue;
        const double lost = gain_of(child, parent);
        const ParentSets without = toggled(graph, child, parent);
        consider(without, lost >= 0 ? lost + 2e-9 : lost);
        const ParentSets reversed = toggled(without, parent, child);
        if (!is_allowed(scores, reversed)) continue;
        const double added = gain_of(parent, static_cast<std::uint16_t>(child));
        if (added != 0) consider(reversed, lost + added);
      }
      for (const std::uint16_t parent : scores.candidates(child)) {
        if (contains(graph[child], parent)) continue;
        const ParentSets with = toggled(graph, child, parent);
        if (!is_allowed(scores, with)) continue;
        const double gain = gain_of(child, parent);
        if (gain != 0) consider(with, gain);
      }
    }
    if (next.empty()) return graph;
    graph = next;
  }
}

void test_climbs_lists_to_local_optima() {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 1 + random.below(7);
    const RandomLists drawn(random, n, 15, 3);
    const FamilyLists lists = drawn.view();
    NoControl control;
    double plain = 0;
    for (const HillClimbOptions& options :
         {HillClimbOptions{}, HillClimbOptions{.tabu_length = 10, .max_tabu = 15},
          HillClimbOptions{.seed = 5, .n_restarts = 10, .n_perturbations = 3}}) {
      TableScores scores(lists);
      const ClimbResult climbed = hill_climb(scores, ParentSets(n), options, control);
      CHECK(has_no_cycle(climbed.parents));
      CHECK(is_close(climbed.score, total(scores, climbed.parents)));
      check_local_optimum(scores, climbed.parents);
      if (options.tabu_length == 0 && options.n_restarts == 0) {
        plain = climbed.score;
        CHECK(climbed.parents == plain_climb(scores, ParentSets(n)));
      }
      CHECK(climbed.score >= plain);
      const SearchResult result = hill_climb(lists, {}, options, control);
      CHECK(is_acyclic(lists, result.families));
      CHECK(result.score == score_of(lists, result.families));
      CHECK(is_close(result.score, climbed.score));
      CHECK(result.score <= result.bound);
    }
  }
}

// All sets of at most three parents, with random scores that most edges lower.
struct UnprunedLists : BitLists {
  UnprunedLists(Random& random, std::size_t n) {
    for (std::size_t v = 0; v < n; ++v) {
      std::vector<std::pair<double, std::size_t>> sets;
      for (std::size_t mask = 0; mask < std::size_t{1} << n; ++mask) {
        const int size = std::popcount(mask);
        if ((mask >> v & 1) != 0 || size > 3) continue;
        sets.emplace_back(random.uniform() * 4 - size, mask);
      }
      std::ranges::sort(sets, std::greater<>());
      for (const auto& [score, mask] : sets) add_family(score, mask);
      end_variable();
    }
  }
};

void test_pairs_that_must_be_adjacent_stay_so() {
  Random random(8);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 4 + random.below(3);
    const UnprunedLists drawn(random, n);
    HillClimbOptions options{.seed = 1, .n_restarts = 5, .n_perturbations = 4};
    if (trial % 2 == 0) options.tabu_length = options.max_tabu = 8;
    ParentSets graph(n);
    for (std::uint16_t v = 1; v < 4; ++v) {
      options.adjacent.emplace_back(v, std::uint16_t{0});
      graph[v].push_back(0);
    }
    TableScores scores(drawn.view(), true);
    NoControl control;
    const ClimbResult climbed = hill_climb(scores, graph, options, control);
    CHECK(has_no_cycle(climbed.parents));
    for (std::size_t v = 1; v < 4; ++v) CHECK(are_joined(climbed.parents, 0, v));
    CHECK(climbed.score >= total(scores, graph) - 1e-9);
    CHECK(is_close(climbed.score, total(scores, climbed.parents)));
    if (options.tabu_length == 0) check_local_optimum(scores, climbed.parents, options);
    std::vector<std::int32_t> start;
    for (std::size_t v = 0; v < n; ++v) {
      start.push_back(static_cast<std::int32_t>(scores.best_family(v, graph[v])));
    }
    const SearchResult result = hill_climb(drawn.view(), start, options, control);
    CHECK(is_close(result.score, climbed.score));
    CHECK(is_acyclic(drawn.view(), result.families));
  }
}

// Checks that with a tabu list and restarts nearly every optimum of a few variables is found.
void test_restarts_find_optima() {
  Random random(4);
  int n_optimal = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const RandomLists drawn(random, 2 + random.below(5), 15, 3);
    NoControl control;
    const SearchResult result = hill_climb(
        drawn.view(), {},
        {.n_restarts = 100, .n_perturbations = 4, .tabu_length = 10, .max_tabu = 10}, control);
    const double best = best_score(drawn.view());
    CHECK(result.score <= best + 1e-9);
    if (is_close(result.score, best)) ++n_optimal;
  }
  CHECK(n_optimal >= 90);
}

void test_lists_that_need_parents() {
  Random random(5);
  int n_feasible = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const RootedLists drawn(random, 1 + random.below(6), 6, 2);
    const FamilyLists lists = drawn.view();
    NoControl control;
    const SearchResult result = hill_climb(lists, {}, {.n_restarts = 3}, control);
    const bool feasible = !std::isinf(best_score(lists));
    CHECK((result.status == Status::kInfeasible) == !feasible);
    CHECK(result.families.empty() == !feasible);
    if (!feasible) continue;
    ++n_feasible;
    CHECK(is_acyclic(lists, result.families));
    CHECK(result.score == score_of(lists, result.families));
    // The result is never worse than a start.
    const SearchResult again = hill_climb(lists, result.families, {}, control);
    CHECK(again.score >= result.score);
  }
  CHECK(n_feasible > 30 && n_feasible < 170);
}

// Checks that required parents, forbidden ones and numbers of parents are kept to, whatever the
// number of threads.
void test_climbs_data_within_rules() {
  Random random(6);
  const std::vector<std::int32_t> n_states(7, 3);
  for (int trial = 0; trial < 40; ++trial) {
    const SmallData<std::uint8_t> data(150, 7, 3, 0.7, random);
    const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, {});
    auto rules = falling_rules(7, 1 + random.below(4));
    ParentSets start(7);
    for (std::size_t v = 0; v < 7; ++v) {
      std::erase_if(rules[v].candidates, [&](std::uint16_t) { return random.below(4) == 0; });
      if (v == 0 || random.below(3) != 0) continue;
      const auto required = static_cast<std::uint16_t>(random.below(v));
      rules[v].required = {required};
      std::erase(rules[v].candidates, required);
      start[v] = {required};
    }
    const credenet::ScoreSettings settings{&credenet::scores::bic, 1.0, n_states};
    const HillClimbOptions options{.seed = 3,
                                   .n_restarts = static_cast<std::size_t>(trial % 3),
                                   .tabu_length = trial % 2 == 0 ? 5U : 0U,
                                   .max_tabu = 8};
    NoControl control;
    DataScores scores(rows, settings, rules, 1, 1e9);
    const ClimbResult result = hill_climb(scores, start, options, control);
    CHECK(result.status == Status::kLocalOptimum);
    CHECK(is_allowed(scores, result.parents));
    CHECK(is_close(result.score, total(scores, result.parents)));
    CHECK(result.score >= total(scores, start) - 1e-9);
    check_local_optimum(scores, result.parents);
    if (options.n_restarts == 0 && options.tabu_length == 0) {
      CHECK(result.parents == plain_climb(scores, start));
    }
    DataScores threaded(rows, settings, rules, 4, 1e9);
    const ClimbResult other = hill_climb(threaded, start, options, control);
    CHECK(other.parents == result.parents);
    CHECK(other.score == result.score);
  }
}

// Checks many variables, of which a few have few candidates: all are counted at once, or some by
// themselves. Equal columns and score-equivalent graphs give ties.
void test_climbs_as_defined() {
  Random random(9);
  const std::size_t n = 24;
  const std::vector<std::int32_t> n_states(n, 3);
  for (const Score* kind :
       {&credenet::scores::bdeu, &credenet::scores::bic, &credenet::scores::mdl,
        &credenet::scores::k2, &credenet::scores::qnml, &credenet::scores::bds}) {
    SmallData<std::uint8_t> data(120, n, 3, 0.8, random);
    for (std::size_t row = 0; row < data.n_rows; ++row) data.at(row, 7) = data.at(row, 3);
    const RowTable rows(data.codes.data(), data.n_rows, n, {});
    auto rules = falling_rules(n, 4);
    for (std::size_t v = 16; v < n; ++v) rules[v].candidates.resize(v - 14);
    DataScores scores(rows, {kind, 1.0, n_states}, rules, 2, 1e9);
    NoControl control;
    const ClimbResult result = hill_climb(scores, ParentSets(n), {}, control);
    CHECK(result.parents == plain_climb(scores, ParentSets(n)));
    CHECK(is_close(result.score, total(scores, result.parents)));
  }
}

void test_stopped_anywhere_it_has_a_graph() {
  Random random(7);
  const SmallData<std::uint8_t> data(200, 8, 3, 0.8, random);
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, {});
  const std::vector<std::int32_t> n_states(8, 3);
  const auto rules = falling_rules(8, 3);
  for (int n_polls = 1; n_polls < 40; n_polls += 3) {
    DataScores scores(rows, {&credenet::scores::bdeu, 1.0, n_states}, rules, 2, 1e9);
    StopAt control(n_polls);
    const ClimbResult result =
        hill_climb(scores, ParentSets(8), {.n_restarts = 1000, .n_perturbations = 5}, control);
    CHECK(result.status == Status::kStopped);
    CHECK(is_allowed(scores, result.parents));
    CHECK(is_close(result.score, total(scores, result.parents)));
    CHECK(result.trace.back().score == result.score);
  }
}

// Scores so large that every change seems a gain although none is: the worst that rounding can do.
class RoundedScores final : public LocalScores {
 public:
  RoundedScores(std::size_t n, double score) : score_(score), candidates_(n) {
    for (std::size_t v = 0; v < n; ++v) {
      for (std::uint16_t other = 0; other < n; ++other) {
        if (other != v) candidates_[v].push_back(other);
      }
    }
  }

  [[nodiscard]] std::size_t n_variables() const override { return candidates_.size(); }
  [[nodiscard]] std::span<const std::uint16_t> candidates(std::size_t child) const override {
    return candidates_[child];
  }
  [[nodiscard]] std::span<const std::uint16_t> required(std::size_t) const override { return {}; }
  [[nodiscard]] std::size_t max_parents(std::size_t) const override { return n_variables(); }
  [[nodiscard]] double score(std::size_t, const Parents&) override { return score_; }
  void find_gains(const ParentSets&, std::span<const credenet::ParentChange>,
                  std::span<double> gains) override {
    std::ranges::fill(gains, 1.0);
  }

 private:
  double score_;
  ParentSets candidates_;
};

void test_rounded_gains_end() {
  for (const double score : {-1e17, std::numeric_limits<double>::quiet_NaN(),
                             -std::numeric_limits<double>::infinity()}) {
    for (const std::size_t tabu_length : {0, 10}) {
      RoundedScores scores(5, score);
      StopAt control(10'000);
      const ClimbResult result = hill_climb(
          scores, ParentSets(5),
          {.n_restarts = 3, .tabu_length = tabu_length, .max_tabu = tabu_length}, control);
      CHECK(result.status == Status::kLocalOptimum);
    }
  }
}

// Checks a column without variation, one that repeats another, one variable, and one row.
void test_odd_data() {
  Random random(8);
  SmallData<std::uint8_t> data(100, 4, 2, 0.0, random);
  for (std::size_t row = 0; row < 100; ++row) {
    data.at(row, 1) = data.at(row, 0);
    data.at(row, 2) = 0;
  }
  const std::vector<std::int32_t> n_states{2, 2, 1, 2};
  const auto rules = falling_rules(4, 3);
  NoControl control;
  const RowTable rows(data.codes.data(), 100, 4, {});
  DataScores scores(rows, {&credenet::scores::bic, 1.0, n_states}, rules, 1, 1e9);
  const ClimbResult result =
      hill_climb(scores, ParentSets(4), {.tabu_length = 5, .max_tabu = 5}, control);
  CHECK(result.parents[0].size() + result.parents[1].size() == 1);
  CHECK(result.parents[2].empty());
  const RowTable one_row(data.codes.data(), 1, 1, {});
  const auto alone = falling_rules(1, 0);
  DataScores few(one_row, {&credenet::scores::bdeu, 1.0, n_states}, alone, 1, 1e9);
  CHECK(hill_climb(few, ParentSets(1), {}, control).parents[0].empty());
}

}  // namespace

int main() {
  test_climbs_lists_to_local_optima();
  test_pairs_that_must_be_adjacent_stay_so();
  test_restarts_find_optima();
  test_lists_that_need_parents();
  test_climbs_data_within_rules();
  test_climbs_as_defined();
  test_stopped_anywhere_it_has_a_graph();
  test_rounded_gains_end();
  test_odd_data();
}
