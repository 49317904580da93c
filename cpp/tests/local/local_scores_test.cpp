#include "credenet/local/local_scores.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "credenet/counts/row_table.hpp"
#include "families/networks_of_lists.hpp"
#include "families/random_lists.hpp"
#include "local/parent_sets.hpp"
#include "small_data.hpp"

using credenet::ChildFamilies;
using credenet::DataScores;
using credenet::FamilyLists;
using credenet::NoControl;
using credenet::ParentSets;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::TableScores;

namespace {

// Checks each gain against the best family within the changed parents, or equal to them.
void test_table_scores() {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 2 + random.below(6);
    const RandomLists drawn(random, n, 12, 4, trial % 2 == 0);
    const FamilyLists lists = drawn.view();
    const bool is_exact = trial % 3 == 0;
    TableScores scores(lists, is_exact);
    ParentSets graph(n);
    std::vector<credenet::ParentChange> changes;
    for (std::size_t v = 0; v < n; ++v) {
      for (const std::uint16_t candidate : scores.candidates(v)) {
        if (random.below(2) == 0) graph[v].push_back(candidate);
        changes.push_back({static_cast<std::uint16_t>(v), candidate});
      }
    }
    std::vector<double> found(changes.size());
    scores.find_gains(graph, changes, found);
    for (std::size_t at = 0; at < changes.size(); ++at) {
      const auto [child, changed] = changes[at];
      double best = -std::numeric_limits<double>::infinity();
      for (std::size_t family = lists.begin(child); family < lists.end(child); ++family) {
        const auto fits = [&, child = child, changed = changed](std::int32_t p) {
          return contains(graph[child], static_cast<std::size_t>(p)) != (p == changed);
        };
        const std::size_t size =
            contains(graph[child], changed) ? graph[child].size() - 1 : graph[child].size() + 1;
        const auto parents = lists.parents_of(family);
        if (std::ranges::all_of(parents, fits) && (!is_exact || parents.size() == size)) {
          best = std::max(best, lists.scores[family]);
        }
      }
      const double before = scores.score(child, graph[child]);
      CHECK(found[at] == best - before || (std::isnan(found[at]) && std::isnan(best - before)));
    }
  }
}

// Checks that every family that scoring lists has the same score here, alone and as a change.
void test_data_scores() {
  Random random(2);
  const std::vector<std::int32_t> n_states{3, 3, 4, 3, 3, 3};
  for (const Score* kind :
       {&credenet::scores::bic, &credenet::scores::mdl, &credenet::scores::bdeu,
        &credenet::scores::k2, &credenet::scores::bds, &credenet::scores::jeffreys,
        &credenet::scores::fnml, &credenet::scores::qnml}) {
    SmallData<std::uint8_t> data(80, 6, 3, 0.5, random);
    if (kind == &credenet::scores::bic) data.draw_weights(random);
    const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, data.weights);
    auto rules = falling_rules(6, 3);
    rules[2].expert = {0, 4};
    rules[2].log_kappa = -0.7;
    const credenet::ScoreSettings settings{kind, 2.0, n_states};
    NoControl control;
    const auto families =
        credenet::score_families(rows, settings, rules, {.prune = false}, control);
    DataScores scores(rows, settings, rules, 2, 1e9);
    DataScores changing(rows, settings, rules, 3, 1e9);
    for (std::size_t v = 0; v < 6; ++v) {
      const ChildFamilies& own = families.children[v];
      CHECK(own.scores.size() == 1 + 5 + 10 + 10);
      for (std::size_t k = 0; k < own.scores.size(); ++k) {
        ParentSets graph(6);
        for (auto at = own.offsets[k]; at < own.offsets[k + 1]; ++at) {
          graph[v].push_back(static_cast<std::uint16_t>(own.parents[static_cast<std::size_t>(at)]));
        }
        CHECK(is_close(scores.score(v, graph[v]), own.scores[k]));
        // The score is the same from every set that lacks one parent, or has one more.
        const std::vector<std::uint16_t> wanted = graph[v];
        for (const std::uint16_t other : rules[v].candidates) {
          graph[v] = wanted;
          if (contains(wanted, other)) {
            std::erase(graph[v], other);
          } else if (wanted.size() == rules[v].max_parents) {
            continue;
          } else {
            graph[v].insert(std::ranges::lower_bound(graph[v], other), other);
          }
          const credenet::ParentChange change{static_cast<std::uint16_t>(v), other};
          double found = 0;
          changing.find_gains(graph, {&change, 1}, {&found, 1});
          CHECK(is_close(changing.score(v, graph[v]) + found, own.scores[k]));
        }
      }
    }
  }
}

}  // namespace

int main() {
  test_table_scores();
  test_data_scores();
}
