// The test checks that families that are asked for one by one are those that searches find from the
// counts themselves.
#include "credenet/families/asked_families.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "credenet/families/explore_families.hpp"
#include "credenet/families/family_scorer.hpp"
#include "credenet/local/asked_scores.hpp"
#include "family_helpers.hpp"

using credenet::ask_families;
using credenet::ChildRules;
using credenet::CountScorer;
using credenet::Families;
using credenet::FamilyBatch;
using credenet::FamilyOptions;
using credenet::FamilyScorer;
using credenet::NoControl;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::ScoredFamily;
using credenet::ScoreSettings;
using credenet::Status;

namespace {

// A scorer with the same numbers, of which nothing else is known.
class Opaque final : public FamilyScorer {
 public:
  Opaque(const FamilyScorer& scorer, bool has_bounds) : scorer_(scorer), has_bounds_(has_bounds) {}

  void score(const FamilyBatch& families, std::span<ScoredFamily> scored) const override {
    scorer_.score(families, scored);
    for (ScoredFamily& each : scored) {
      if (!has_bounds_) each.bound = std::numeric_limits<double>::infinity();
    }
  }
  [[nodiscard]] bool takes_threads() const override { return true; }

 private:
  const FamilyScorer& scorer_;
  bool has_bounds_;
};

std::vector<Scores> all_scores_of(const Families& families) {
  std::vector<Scores> found;
  for (const auto& child : families.children) found.push_back(scores_of(child));
  return found;
}

void check_unscored(const Families& stopped, const std::vector<Scores>& all) {
  if (stopped.status == Status::kComplete) return;
  for (std::size_t child = 0; child < all.size(); ++child) {
    const Scores kept = scores_of(stopped.children[child]);
    for (const auto& [parents, score] : all[child]) {
      if (kept.contains(parents)) continue;
      double best = -std::numeric_limits<double>::infinity();
      for (const auto& [subset, subset_score] : kept) {
        if (std::ranges::includes(parents, subset)) best = std::max(best, subset_score);
      }
      const double gain = stopped.unscored[child].gain;
      CHECK(std::isinf(gain) || score <= best + gain + 1e-8);
      CHECK(score <= std::max(best, stopped.unscored[child].bound) + 1e-8);
    }
  }
}

void check_asked(const SmallData<std::uint8_t>& data, const std::vector<std::int32_t>& n_states,
                 const Score* kind, const std::vector<ChildRules>& rules) {
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  const CountScorer scorer(rows, {kind, kEss, n_states});
  NoControl control;
  for (const double slack : {0.0, 3.0}) {
    FamilyOptions options;
    options.slack = slack;
    options.n_threads = 2;
    const auto expected = all_scores_of(score_families(scorer, rules, options, control));
    options.prune = false;
    const auto all = all_scores_of(score_families(scorer, rules, options, control));
    for (const bool has_bounds : {true, false}) {
      const Opaque opaque(scorer, has_bounds);
      options.prune = false;
      CHECK(all_scores_of(score_families(opaque, rules, options, control)) == all);
      options.prune = true;
      const Families asked = score_families(opaque, rules, options, control);
      CHECK(asked.status == Status::kComplete);
      CHECK(all_scores_of(asked) == expected);
      credenet::FamilyExplorer explorer(opaque, rules, options, 0);
      CHECK(explorer.explore(control));
      CHECK(explorer.families().status == Status::kComplete);
      CHECK(all_scores_of(explorer.families()) == expected);
      for (std::size_t most = 0; most < rules.size(); ++most) {
        FamilyOptions limited = options;
        limited.most_added = most;
        check_unscored(score_families(opaque, rules, limited, control), all);
      }
      for (const int n_polls : {0, 1, 4, 9}) {
        StopAfter stop(n_polls);
        check_unscored(score_families(opaque, rules, options, stop), all);
      }
      for (const int doublings : {0, 3}) {
        FamilyOptions limited = options;
        limited.max_bytes = std::size_t{1000} << doublings;
        check_unscored(score_families(opaque, rules, limited, control), all);
      }
    }
  }
  // The score of a family, and its changes, for climbing over graphs.
  const Opaque opaque(scorer, false);
  const auto local = local_scores(opaque, rules, 1, 1e9);
  FamilyOptions options;
  options.prune = false;
  const auto all = all_scores_of(score_families(scorer, rules, options, control));
  credenet::ParentSets graph(rules.size());
  for (std::uint16_t child = 0; child < rules.size(); ++child) {
    for (const auto& [parents, score] : all[child]) {
      graph[child] = parents;
      CHECK(local->score(child, parents) == score);
      std::vector<credenet::ParentChange> changes;
      std::vector<double> expected;
      for (std::uint16_t changed = 0; changed < rules.size(); ++changed) {
        Variables after = parents;
        if (std::erase(after, changed) == 0) {
          after.insert(std::ranges::upper_bound(after, changed), changed);
        }
        if (!all[child].contains(after)) continue;
        changes.push_back({child, changed});
        expected.push_back(all[child].at(after) - score);
      }
      std::vector<double> gains(changes.size());
      local->find_gains(graph, changes, gains);
      CHECK(gains == expected);
    }
  }
}

}  // namespace

int main() {
  Random random(5);
  constexpr const Score* kSome[] = {&credenet::scores::bic, &credenet::scores::k2,
                                    &credenet::scores::bds};
  check_five_variables(random, kSome, check_asked);
  return 0;
}
