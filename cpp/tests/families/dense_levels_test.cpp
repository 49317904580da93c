#include "credenet/families/dense_levels.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "check.hpp"
#include "families/family_helpers.hpp"
#include "small_data.hpp"

using credenet::ChildRules;
using credenet::Families;
using credenet::FamilyOptions;
using credenet::NoControl;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::ScoreSettings;
using credenet::SetRanks;
using credenet::Status;

namespace {

using Data = SmallData<std::uint8_t>;

void check_ranks() {
  for (const std::size_t n : {1, 5, 9}) {
    const SetRanks ranks(n, n);
    for (std::size_t size = 1; size <= n; ++size) {
      std::vector<std::uint16_t> set(size);
      for (std::uint16_t at = 0; at < size; ++at) set[at] = at;
      for (std::uint64_t rank = ranks.n_sets(size); rank-- > 0;) {
        CHECK(std::ranges::is_sorted(set) && set.back() < n);
        CHECK(ranks.rank(set) == rank);
        std::vector<std::uint16_t> found(size);
        ranks.find(rank, found);
        CHECK(found == set);
        if (rank > 0) ranks.advance(set);
      }
    }
  }
  CHECK(SetRanks(4096, 60).n_sets(60) == SetRanks::kMost);
}

// Checks what a stop leaves: the families of the first levels, and bounds that no set scores above
// that is not there.
void check_stopped(const Families& stopped, const Families& whole, const Families& all) {
  CHECK(stopped.status != Status::kComplete);
  CHECK(stopped.unscored.size() == all.children.size());
  for (std::size_t child = 0; child < all.children.size(); ++child) {
    const Scores kept = scores_of(stopped.children[child]);
    Scores expected = scores_of(whole.children[child]);
    std::erase_if(expected, [&](const auto& e) { return e.first.size() >= stopped.n_levels; });
    CHECK(kept == expected);
  }
  check_unscored(stopped, all);
}

// Checks that the families are the same as from lists, and as without pruning.
void check_families(const Data& data, const std::vector<std::int32_t>& n_states, const Score* kind,
                    const std::vector<ChildRules>& rules) {
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  const ScoreSettings settings{kind, 1.0, n_states};
  NoControl no_control;
  FamilyOptions options;
  options.prune = false;
  const Families all = score_families(rows, settings, rules, options, no_control);
  options.prune = true;
  for (const double slack : {0.0, 3.0}) {
    options.slack = slack;
    options.n_threads = 1;
    options.many_families = std::numeric_limits<double>::infinity();
    const Families listed = score_families(rows, settings, rules, options, no_control);
    options.many_families = 0;
    const Families dense = score_families(rows, settings, rules, options, no_control);
    CHECK(dense.status == Status::kComplete);
    CHECK(dense.n_evaluated <= listed.n_evaluated);
    for (std::size_t child = 0; child < rules.size(); ++child) {
      CHECK(scores_of(dense.children[child]) == scores_of(listed.children[child]));
    }
    options.n_threads = 3;
    CHECK(same(dense, score_families(rows, settings, rules, options, no_control)));
    options.n_threads = 1;
    for (const std::size_t most_added : {1, 2, 3, 4}) {
      options.most_added = most_added;
      const Families some = score_families(rows, settings, rules, options, no_control);
      if (some.status != Status::kComplete) check_stopped(some, dense, all);
    }
    options.most_added = FamilyOptions{}.most_added;
    for (int n_polls = 1;; ++n_polls) {
      StopAfter control(n_polls);
      const Families some = score_families(rows, settings, rules, options, control);
      if (some.status == Status::kComplete) break;
      check_stopped(some, dense, all);
    }
  }
}

// Checks that tables can exceed a limit of memory: lists would exceed it sooner.
void check_memory(const Score* kind, Random& random) {
  constexpr std::size_t kVariables = 16;
  const Data data(600, kVariables, 2, 0.5, random);
  const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, {});
  const std::vector<std::int32_t> n_states(kVariables, 2);
  const ScoreSettings settings{kind, 1, n_states};
  const std::vector<ChildRules> rules = free_rules(kVariables, 5);
  NoControl no_control;
  FamilyOptions options;
  options.prune = false;
  const Families all = score_families(rows, settings, rules, options, no_control);
  options.prune = true;
  const Families listed = score_families(rows, settings, rules, options, no_control);
  options.many_families = 100;
  const Families whole = score_families(rows, settings, rules, options, no_control);
  CHECK(whole.status == Status::kComplete && whole.n_levels == listed.n_levels);
  std::size_t n_stopped = 0;
  std::size_t most_levels = 0;
  for (std::size_t bytes = 20'000; bytes < 10'000'000; bytes += bytes / 2) {
    options.max_bytes = bytes;
    const Families found = score_families(rows, settings, rules, options, no_control);
    if (found.status == Status::kComplete) {
      for (std::size_t child = 0; child < kVariables; ++child) {
        CHECK(scores_of(found.children[child]) == scores_of(listed.children[child]));
      }
      continue;
    }
    CHECK(found.status == Status::kMemoryLimit);
    check_stopped(found, whole, all);
    ++n_stopped;
    most_levels = std::max(most_levels, found.n_levels);
  }
  CHECK(n_stopped > 0 && most_levels > 3);
}

}  // namespace

int main() {
  Random random(5);
  check_ranks();
  for (int repeat = 0; repeat < 8; ++repeat) {
    constexpr std::size_t kVariables = 7;
    Data data(repeat % 2 == 0 ? 60 : 400, kVariables, 2 + repeat % 3 / 2, 0.1 * repeat, random);
    if (repeat % 4 == 3) data.draw_weights(random);
    std::vector<std::int32_t> n_states(kVariables, 3);
    n_states[3] = 4;
    for (const Score* kind : {&credenet::scores::bic, &credenet::scores::aic,
                              &credenet::scores::mdl, &credenet::scores::bdeu}) {
      check_families(data, n_states, kind, free_rules(kVariables, kVariables - 1));
      std::vector<ChildRules> rules = rules_of_all_kinds(kVariables);
      rules[2].required = {};
      check_families(data, n_states, kind, rules);
      rules[4].max_parents = 2;
      rules[5].log_kappa = 0.7;
      check_families(data, n_states, kind, rules);
    }
  }
  check_memory(&credenet::scores::aic, random);
  check_memory(&credenet::scores::bdeu, random);
  return 0;
}
