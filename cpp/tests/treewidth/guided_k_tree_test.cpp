#include "credenet/treewidth/guided_k_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "check.hpp"
#include "stop_at.hpp"
#include "treewidth/every_code.hpp"
#include "treewidth/k_tree_checks.hpp"

using credenet::complete_k_tree;
using credenet::greedy_k_tree;
using credenet::KTree;
using credenet::KTreeGuide;
using credenet::NoControl;
using credenet::PairWeights;
using credenet::Random;
using credenet::sample_variables;
using credenet::Status;

namespace {

using Members = std::vector<std::int32_t>;
constexpr std::size_t kMuch = std::size_t{1} << 30;

// The largest information of all k-trees that have the root as a clique.
double best_information(const PairWeights& weights, std::size_t k, const Members& root) {
  double best = -1;
  for_each_code(weights.n_variables, k, [&](const credenet::DandelionCode& code) {
    const KTree tree = decode(code, weights.n_variables);
    if (tree.joins(root[0], std::span(root).subspan(1))) {
      best = std::max(best, tree.information(weights));
    }
  });
  return best;
}

double sum_of_largest(const PairWeights& weights, std::int32_t variable, std::size_t k) {
  const auto row = weights.row(variable);
  std::vector<double> sorted(row.begin(), row.end());
  std::ranges::sort(sorted, std::greater<>());
  double sum = 0;
  for (std::size_t at = 0; at < k; ++at) sum += sorted[at];
  return sum;
}

// Algorithm 1 with its list of open states, and f of each from scratch.
KTree plain_algorithm_1(const PairWeights& weights, std::size_t k, const Members& root) {
  struct Open {
    std::int32_t variable;
    Members clique;
  };
  KTree tree(weights.n_variables, k, root);
  Members left;
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(weights.n_variables); ++v) {
    if (std::ranges::find(root, v) == root.end()) left.push_back(v);
  }
  std::vector<Open> open;
  const auto open_states = [&](const Members& large) {
    for (const std::int32_t variable : left) {
      for (const std::int32_t leaves_out : large) {
        Members clique = large;
        std::erase(clique, leaves_out);
        open.push_back({variable, clique});
      }
    }
  };
  open_states(root);
  while (!left.empty()) {
    double least = std::numeric_limits<double>::infinity();
    Open next{-1, {}};
    for (const Open& state : open) {
      double f = -tree.information(weights);
      for (const std::int32_t member : state.clique) f -= weights(state.variable, member);
      for (const std::int32_t other : left) {
        if (other != state.variable) f -= sum_of_largest(weights, other, k);
      }
      if (f > least || (f == least && state.variable >= next.variable)) continue;
      least = f;
      next = state;
    }
    tree.insert(next.variable, next.clique);
    std::erase(left, next.variable);
    std::erase_if(open, [&](const Open& state) { return state.variable == next.variable; });
    Members large = next.clique;
    large.push_back(next.variable);
    open_states(large);
  }
  return tree;
}

void test_against_all_k_trees() {
  Random random(1);
  int n_gains = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 1 + random.below(7);
    const std::size_t k = random.below(std::min<std::size_t>(n, 4));
    const std::vector<double> values = draw_weights(n, random);
    const PairWeights weights{values, n};
    const Members root = sample_variables(n, k + 1, random);
    const KTreeGuide guide(weights, k);
    NoControl control;
    const auto complete = complete_k_tree(guide, root, kMuch, control);
    CHECK(complete.status == Status::kOptimal);
    check_k_tree(complete.tree);
    CHECK(complete.tree.joins(root[0], std::span(root).subspan(1)));
    const double found = complete.tree.information(weights);
    CHECK(std::abs(found - best_information(weights, k, root)) < 1e-9);
    const KTree greedy = greedy_k_tree(guide, root);
    CHECK(complete.gain >= 0);
    CHECK(found - greedy.information(weights) == complete.gain);
    if (complete.gain > 0) ++n_gains;
  }
  CHECK(n_gains > 5);
}

void test_greedy_is_algorithm_1() {
  Random random(2);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = 1 + random.below(14);
    const std::size_t k = random.below(std::min<std::size_t>(n, 6));
    const std::vector<double> values = draw_weights(n, random);
    const PairWeights weights{values, n};
    const Members root = sample_variables(n, k + 1, random);
    const KTree greedy = greedy_k_tree(KTreeGuide(weights, k), root);
    check_k_tree(greedy);
    const KTree plain = plain_algorithm_1(weights, k, root);
    CHECK(std::ranges::equal(greedy.order(), plain.order()));
    CHECK(edges_of(greedy) == edges_of(plain));
  }
}

// Checks weights that are all equal or zero, which leave every choice open.
void test_ties() {
  for (const double weight : {0.0, 1.0}) {
    std::vector<double> values(36, weight);
    for (std::size_t v = 0; v < 6; ++v) values[v * 7] = 0;
    const KTreeGuide guide({values, 6}, 2);
    const Members root{1, 3, 5};
    NoControl control;
    check_k_tree(greedy_k_tree(guide, root));
    CHECK(complete_k_tree(guide, root, kMuch, control).status == Status::kOptimal);
  }
}

void test_stopped_it_is_greedy() {
  Random random(3);
  const std::vector<double> values = draw_weights(12, random);
  const KTreeGuide guide({values, 12}, 2);
  const Members root{0, 1, 2};
  const Edges greedy = edges_of(greedy_k_tree(guide, root));
  for (const int n_polls : {1, 2, 20}) {
    StopAt control(n_polls);
    const auto stopped = complete_k_tree(guide, root, kMuch, control);
    CHECK(stopped.status == Status::kStopped);
    CHECK(edges_of(stopped.tree) == greedy);
  }
  NoControl control;
  const auto limited = complete_k_tree(guide, root, 20000, control);
  CHECK(limited.status == Status::kMemoryLimit);
  CHECK(edges_of(limited.tree) == greedy);
}

}  // namespace

int main() {
  test_against_all_k_trees();
  test_greedy_is_algorithm_1();
  test_ties();
  test_stopped_it_is_greedy();
}
