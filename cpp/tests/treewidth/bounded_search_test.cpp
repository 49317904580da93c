#include "credenet/treewidth/bounded_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "credenet/treewidth/bounded_dp.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"
#include "treewidth/bounded_brute_force.hpp"

using credenet::bounded_dp;
using credenet::bounded_search;
using credenet::BoundedMethod;
using credenet::BoundedResult;
using credenet::BoundedSearchOptions;
using credenet::FamilyLists;
using credenet::is_within;
using credenet::NoControl;
using credenet::Random;
using credenet::Status;

namespace {

constexpr BoundedMethod kMethods[] = {BoundedMethod::kKG, BoundedMethod::kKMax,
                                      BoundedMethod::kAnnealing};

void check_network(const FamilyLists& lists, const BoundedResult& result, std::size_t k) {
  CHECK(result.families.size() == lists.n_variables());
  CHECK(is_acyclic(lists, result.families));
  CHECK(is_within(lists, result.families, result.decomposition));
  CHECK(result.decomposition.width() <= k);
  CHECK(std::abs(result.score - score_of(lists, result.families)) < 1e-9);
  CHECK(result.score <= result.bound + 1e-9);
  CHECK((result.status == Status::kOptimal) == (result.score == result.bound));
  CHECK(result.trace.back().score == result.score && result.trace.back().bound == result.bound);
}

// Checks that every method finds networks, never better ones than there are. Annealing finds the
// best.
void test_small() {
  Random random(1);
  NoControl control;
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = 1 + random.below(7);
    const std::size_t k = random.below(n + 1);
    const bool with_empty = trial % 3 != 0;
    const RandomLists drawn(random, n, 12, 4, with_empty);
    const FamilyLists lists = drawn.view();
    const BoundedResult best = bounded_dp(lists, {.tree_width = k}, control);
    for (const BoundedMethod method : kMethods) {
      const BoundedResult found = bounded_search(
          lists, {.tree_width = k, .method = method, .n_iterations = 4, .n_threads = 2}, control);
      if (best.status == Status::kInfeasible) {
        CHECK(found.families.empty());
        continue;
      }
      if (with_empty) CHECK(!found.families.empty());
      if (!found.families.empty()) {
        check_network(lists, found, k);
        CHECK(found.score <= best.score + 1e-9);
      }
      if (method == BoundedMethod::kAnnealing) CHECK(std::abs(found.score - best.score) < 1e-9);
    }
  }
}

// Checks that required parents more than a bag can hold are noticed.
void test_infeasible() {
  BitLists lists;
  lists.add_family(-1.0, 0b110);
  lists.end_variable();
  for (int v = 1; v < 3; ++v) {
    lists.add_family(-1.0, 0);
    lists.end_variable();
  }
  NoControl control;
  CHECK(bounded_search(lists.view(), {.tree_width = 1}, control).status == Status::kInfeasible);
  const BoundedResult found = bounded_search(lists.view(), {.tree_width = 2}, control);
  CHECK(found.status == Status::kOptimal && found.score == -3.0);
  const BoundedResult empty =
      bounded_search({std::vector<std::int64_t>{0}, {}, std::vector<std::int64_t>{0}, {}},
                     {.tree_width = 2}, control);
  CHECK(empty.status == Status::kOptimal && empty.score == 0);
  CHECK(bounded_search(lists.view(), {.tree_width = 2, .max_bytes = 1}, control).status ==
        Status::kMemoryLimit);
}

void test_threads() {
  Random random(2);
  NoControl control;
  for (const BoundedMethod method : kMethods) {
    const RandomLists drawn(random, 12, 40, 3, true);
    BoundedSearchOptions options{.tree_width = 2, .method = method, .n_iterations = 6, .seed = 5};
    const BoundedResult one = bounded_search(drawn.view(), options, control);
    options.n_threads = 3;
    const BoundedResult three = bounded_search(drawn.view(), options, control);
    CHECK(one.families == three.families && one.score == three.score);
    CHECK(one.decomposition.bags == three.decomposition.bags);
    check_network(drawn.view(), one, 2);
  }
}

// Checks that there is a network whenever it is stopped.
void test_stops() {
  Random random(3);
  const RandomLists drawn(random, 10, 30, 3, true);
  for (const BoundedMethod method : kMethods) {
    for (const int n_polls : {1, 2, 3, 10, 40}) {
      StopAt control(n_polls);
      const BoundedResult found = bounded_search(
          drawn.view(), {.tree_width = 3, .method = method, .n_threads = 2}, control);
      CHECK(found.status == Status::kStopped || found.status == Status::kOptimal);
      check_network(drawn.view(), found, 3);
    }
  }
}

}  // namespace

int main() {
  test_small();
  test_infeasible();
  test_threads();
  test_stops();
  return 0;
}
