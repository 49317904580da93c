#include "credenet/treewidth/k_tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"
#include "treewidth/best_network_within.hpp"
#include "treewidth/k_tree_checks.hpp"

using credenet::FamilyLists;
using credenet::k_tree_search;
using credenet::KTreeOptions;
using credenet::KTreeResult;
using credenet::NoControl;
using credenet::Random;
using credenet::Status;

namespace {

// The four methods, and guided k-trees by A*.
std::vector<KTreeOptions> all_methods(std::size_t k, std::size_t n_iterations) {
  std::vector<KTreeOptions> methods;
  for (const bool guided : {false, true}) {
    for (const bool exact : {false, true}) {
      for (const bool complete : {false, true}) {
        if (complete && !guided) continue;
        methods.push_back({.tree_width = k,
                           .guided = guided,
                           .exact = exact,
                           .complete = complete,
                           .n_iterations = n_iterations,
                           .n_orders = 20,
                           .max_bytes = std::size_t{1} << 24});
      }
    }
  }
  return methods;
}

void check_network(const FamilyLists& lists, const KTreeResult& result, std::size_t k) {
  CHECK(result.families.size() == lists.n_variables());
  CHECK(is_acyclic(lists, result.families));
  CHECK(is_within(lists, result.families, result.decomposition));
  CHECK(result.decomposition.width() <= k);
  CHECK(result.score == score_of(lists, result.families));
  CHECK(result.score <= result.bound);
  CHECK((result.status == Status::kOptimal) == (result.score == result.bound));
  CHECK(result.trace.back().score == result.score && result.trace.back().bound == result.bound);
}

// Checks what the first k-tree gives, and how many are gone through.
void test_networks() {
  Random random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t n = 1 + random.below(6);
    const std::size_t k = random.below(n + 1);
    const RandomLists drawn(random, n, 5, 3);
    const FamilyLists lists = drawn.view();
    const std::vector<double> weights = draw_weights(n, random);
    for (KTreeOptions options : all_methods(k, 1)) {
      options.seed = static_cast<std::uint64_t>(trial);
      NoControl control;
      const KTreeResult one = k_tree_search(lists, {weights, n}, options, control);
      check_network(lists, one, k);
      CHECK(one.points.size() == 1 && one.points[0].score == one.score);
      const double best = best_network_within(lists, one.decomposition);
      CHECK(one.score <= best + 1e-9);
      if (options.exact) CHECK(is_close(one.score, best));
      if (options.exact && k + 1 >= n) {
        CHECK(one.status == Status::kOptimal);
        CHECK(is_close(one.score, best_score(lists)));
      }
      options.n_iterations = 40;
      const KTreeResult many = k_tree_search(lists, {weights, n}, options, control);
      check_network(lists, many, k);
      CHECK(many.score >= one.score);
      CHECK(many.points.size() == 40 || many.status == Status::kOptimal);
      if (many.status != Status::kOptimal) CHECK(many.status == Status::kIterationLimit);
      CHECK(many.complete_gain >= 0);
      CHECK(many.n_complete == (options.complete ? many.points.size() : 0));
    }
  }
}

// Checks that guiding by A* never has less information than greed from the same root clique.
void test_complete_gain() {
  Random random(2);
  const RandomLists drawn(random, 9, 10, 2);
  const std::vector<double> weights = draw_weights(9, random);
  KTreeOptions options{.tree_width = 2, .n_iterations = 20};
  NoControl control;
  const KTreeResult greedy = k_tree_search(drawn.view(), {weights, 9}, options, control);
  CHECK(greedy.n_complete == 0 && greedy.complete_gain == 0);
  options.complete = true;
  const KTreeResult complete = k_tree_search(drawn.view(), {weights, 9}, options, control);
  CHECK(complete.n_complete == 20);
  double gain = 0;
  for (std::size_t at = 0; at < 20; ++at) {
    CHECK(complete.points[at].information >= greedy.points[at].information);
    gain += complete.points[at].information - greedy.points[at].information;
  }
  CHECK(gain > 0);
  CHECK(is_close(complete.complete_gain, gain / 20));
}

// Checks that k-trees of little information are seldom accepted.
void test_acceptance() {
  Random random(3);
  const RandomLists drawn(random, 8, 10, 2);
  std::vector<double> weights = draw_weights(8, random);
  for (double& weight : weights) weight = std::pow(weight, 8);
  KTreeOptions options{.tree_width = 1, .guided = false, .n_iterations = 300, .n_orders = 1};
  NoControl control;
  const KTreeResult result = k_tree_search(drawn.view(), {weights, 8}, options, control);
  CHECK(result.points.size() == 300);
  CHECK(result.n_generated > 600);
  const std::vector<double> nothing(64, 0.0);
  const KTreeResult all = k_tree_search(drawn.view(), {nothing, 8}, options, control);
  CHECK(all.points.size() == 300);
  CHECK(all.n_generated <= 300 + 16);
}

void test_does_not_depend_on_threads() {
  Random random(4);
  for (int trial = 0; trial < 3; ++trial) {
    const RandomLists drawn(random, 12, 20, 3);
    const std::vector<double> weights = draw_weights(12, random);
    for (KTreeOptions options : all_methods(2, 40)) {
      NoControl control;
      options.max_bytes = std::size_t{1} << 22;
      const KTreeResult one = k_tree_search(drawn.view(), {weights, 12}, options, control);
      check_network(drawn.view(), one, 2);
      options.n_threads = 3;
      const KTreeResult three = k_tree_search(drawn.view(), {weights, 12}, options, control);
      CHECK(three.families == one.families);
      CHECK(three.score == one.score);
      CHECK(three.decomposition.bags == one.decomposition.bags);
      CHECK(three.complete_gain == one.complete_gain);
      CHECK(three.n_generated == one.n_generated);
      CHECK(std::ranges::equal(three.points, one.points, [](const auto& a, const auto& b) {
        return a.information == b.information && a.score == b.score;
      }));
    }
  }
}

void test_stopped_anywhere_it_has_a_network() {
  Random random(5);
  const RandomLists drawn(random, 10, 20, 3);
  const std::vector<double> weights = draw_weights(10, random);
  for (KTreeOptions options : all_methods(2, 0)) {
    for (int n_polls = 1; n_polls < 400; n_polls += 1 + n_polls / 4) {
      options.n_threads = n_polls % 3 == 0 ? 2 : 1;
      StopAt control(n_polls);
      const KTreeResult result = k_tree_search(drawn.view(), {weights, 10}, options, control);
      check_network(drawn.view(), result, 2);
      CHECK(result.status == Status::kStopped);
    }
  }
}

// Checks variables that need parents: infeasible is true, and without a network there are no
// families.
void test_feasibility() {
  Random random(6);
  int n_found = 0;
  int n_infeasible = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 1 + random.below(6);
    const std::size_t k = 1 + random.below(2);
    const RootedLists drawn(random, n, 6, 3);
    const FamilyLists lists = drawn.view();
    const std::vector<double> weights = draw_weights(n, random);
    KTreeOptions options{.tree_width = k, .guided = trial % 2 == 0, .exact = trial % 4 < 2};
    NoControl control;
    const KTreeResult result = k_tree_search(lists, {weights, n}, options, control);
    if (result.status == Status::kInfeasible) {
      ++n_infeasible;
      BitLists small;
      for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
          const auto parents = lists.parents_of(family);
          if (parents.size() <= k) small.add_family(lists.scores[family], parents);
        }
        small.end_variable();
      }
      CHECK(std::isinf(best_score(small.view())));
      CHECK(std::isinf(result.bound));
    }
    if (result.families.empty()) {
      CHECK(std::isinf(result.score));
      CHECK(result.points.empty());
    } else {
      ++n_found;
      check_network(lists, result, k);
    }
  }
  CHECK(n_found > 30 && n_infeasible > 30);
}

}  // namespace

int main() {
  test_networks();
  test_complete_gain();
  test_acceptance();
  test_does_not_depend_on_threads();
  test_stopped_anywhere_it_has_a_network();
  test_feasibility();
}
