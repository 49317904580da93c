#include "credenet/lattice/subset_dp.hpp"

#include <bit>
#include <vector>

#include "brute_force.hpp"
#include "check.hpp"

using credenet::best_of_subsets;
using credenet::ComponentLists;
using credenet::NoControl;
using credenet::Random;
using credenet::SearchResult;
using credenet::Status;
using credenet::subset_dp;
using credenet::subset_dp_bytes;
using credenet::SubsetDpOptions;

namespace {

SearchResult solve(const ComponentLists& lists, const SubsetDpOptions& options) {
  NoControl control;
  return subset_dp(lists, options, control);
}

// The best scores by the recurrence as it stands.
std::vector<double> slow_best_of_subsets(const ComponentLists& lists) {
  const std::size_t n = lists.n_variables();
  std::vector<double> best(std::size_t{1} << n, kNoNetwork);
  best[0] = 0;
  for (std::uint64_t set = 1; set < best.size(); ++set) {
    for (std::size_t v = 0; v < n; ++v) {
      const std::uint64_t others = set & ~(std::uint64_t{1} << v);
      if (others == set) continue;
      const std::size_t k = lists.best(v, others);
      if (k < lists.size(v)) best[set] = std::max(best[set], best[others] + lists.scores(v)[k]);
    }
  }
  return best;
}

void test_against_all_networks() {
  Random random(3);
  int n_infeasible = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(5);
    const ComponentLists lists = draw_lists(random, n, 6, 3, random.below(3) != 0);
    const double best = best_of_all_networks(lists);
    n_infeasible += best == kNoNetwork ? 1 : 0;
    CHECK(std::abs(best - best_of_all_orders(lists)) <= 1e-9 || best == kNoNetwork);
    check_finished(lists, solve(lists, {}), best);
    check_finished(lists, solve(lists, {.layered = true}), best);
  }
  CHECK(n_infeasible > 30 && n_infeasible < 80);
}

void test_against_all_orders() {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const ComponentLists lists =
        draw_lists(random, 6 + random.below(2), 30, 4, random.below(2) != 0);
    const double best = best_of_all_orders(lists);
    check_finished(lists, solve(lists, {}), best);
    check_finished(lists, solve(lists, {.layered = true}), best);
  }
}

// Checks that with enough variables for several blocks every value is that of the recurrence, to
// the last digit, and threads and layers change nothing.
void test_blocks() {
  Random random(8);
  int n_infeasible = 0;
  for (std::size_t n = 9; n <= 15; ++n) {
    for (const std::size_t most_families : {60, 59, 5}) {
      const ComponentLists lists = draw_lists(random, n, most_families, 5, most_families == 60);
      const std::vector<double> slow = slow_best_of_subsets(lists);
      NoControl control;
      const auto best = best_of_subsets(lists, 2, control);
      for (std::size_t set = 0; set < slow.size(); ++set) CHECK(best[set] == slow[set]);
      const SearchResult plain = solve(lists, {});
      check_finished(lists, plain, slow.back());
      n_infeasible += plain.status == Status::kInfeasible ? 1 : 0;
      for (const bool layered : {false, true}) {
        const SearchResult other = solve(lists, {.layered = layered, .n_threads = 3});
        CHECK(other.families == plain.families);
        CHECK(other.score == plain.score && other.status == plain.status);
      }
    }
  }
  CHECK(n_infeasible > 2 && n_infeasible < 12);
}

void test_edges() {
  NoControl control;
  Random random(2);
  const ComponentLists none = draw_lists(random, 0, 0, 1, true);
  CHECK(solve(none, {}).status == Status::kOptimal);
  CHECK(solve(none, {.layered = true}).score == 0);
  const ComponentLists lonely = draw_lists(random, 1, 0, 1, true);
  CHECK(solve(lonely, {}).families == std::vector<std::int32_t>{0});
  const ComponentLists without(RandomLists(random, 1, 0, 1, false).view(), all_members(1));
  CHECK(without.size(0) == 0);
  CHECK(solve(without, {}).status == Status::kInfeasible);
  const ComponentLists many = draw_lists(random, 64, 2, 2, true);
  CHECK(solve(many, {}).status == Status::kMemoryLimit);
}

void test_memory() {
  Random random(4);
  const ComponentLists lists = draw_lists(random, 14, 10, 3, true);
  for (const bool layered : {false, true}) {
    const std::size_t bytes = subset_dp_bytes(14, layered, 2);
    const SubsetDpOptions options{.layered = layered, .max_bytes = bytes, .n_threads = 2};
    const SearchResult fits = solve(lists, options);
    CHECK(fits.status == Status::kOptimal && fits.peak_bytes == bytes);
    const SearchResult refused =
        solve(lists, {.layered = layered, .max_bytes = bytes - 1, .n_threads = 2});
    CHECK(refused.status == Status::kMemoryLimit && refused.peak_bytes == 0);
    CHECK(refused.families.empty() && refused.bound >= fits.score);
  }
  CHECK(subset_dp_bytes(26, false, 1) < 600'000'000);
  CHECK(subset_dp_bytes(28, true, 1) < subset_dp_bytes(28, false, 1) * 6 / 10);
  CHECK(subset_dp_bytes(41, false, 1) > subset_dp_bytes(40, false, 1));
}

void test_stop_anywhere() {
  Random random(6);
  const ComponentLists lists = draw_lists(random, 15, 30, 4, true);
  const double best = solve(lists, {}).score;
  for (const bool layered : {false, true}) {
    for (std::size_t last = 1; last <= 16; ++last) {
      StopAtPoll control(last);
      const SearchResult result = subset_dp(lists, {.layered = layered}, control);
      CHECK(control.n_polls() == last);
      CHECK(result.bound >= best);
      // At the last poll everything has been done already.
      if (last == 16) {
        check_finished(lists, result, best);
      } else {
        CHECK(result.status == Status::kStopped && result.families.empty());
        CHECK(result.n_expanded == last << 11);
      }
    }
  }
  StopAtPoll control(3);
  CHECK(best_of_subsets(lists, 1, control) == nullptr);
}

void test_seconds() {
  Random random(12);
  const ComponentLists lists = draw_lists(random, 16, 30, 4, true);
  CHECK(credenet::subset_dp_seconds(lists) > 0);
}

}  // namespace

int main() {
  test_against_all_networks();
  test_against_all_orders();
  test_blocks();
  test_edges();
  test_memory();
  test_stop_anywhere();
  test_seconds();
}
