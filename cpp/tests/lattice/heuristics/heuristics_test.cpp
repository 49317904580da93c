#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "brute_force.hpp"
#include "check.hpp"
#include "credenet/lattice/heuristics/cycle_patterns.hpp"
#include "credenet/lattice/heuristics/fractional_matching.hpp"
#include "credenet/lattice/heuristics/heuristic.hpp"
#include "credenet/lattice/heuristics/pattern_groups.hpp"
#include "credenet/lattice/heuristics/static_patterns.hpp"
#include "credenet/lattice/order_graph.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

namespace {

constexpr double kRounding = 1e-9;

bool is_admissible(const Heuristic& heuristic, const std::vector<double>& completions) {
  for (std::uint64_t placed = 0; placed < completions.size(); ++placed) {
    if (heuristic(placed) < completions[placed] - kRounding) return false;
  }
  return true;
}

bool is_consistent(const Heuristic& heuristic, const ComponentLists& lists) {
  const std::size_t n = lists.n_variables();
  for (std::uint64_t placed = 0; placed < std::uint64_t{1} << n; ++placed) {
    for (std::size_t v = 0; v < n; ++v) {
      const std::size_t k = lists.best(v, placed);
      if ((placed >> v & 1) != 0 || k == lists.size(v)) continue;
      const double after = lists.scores(v)[k] + heuristic(placed | std::uint64_t{1} << v);
      if (heuristic(placed) < after - kRounding) return false;
    }
  }
  return true;
}

// Checks every set placed, on random lists. The greedy heuristic must be seen to be inconsistent
// somewhere, or nothing would test that nodes are opened again.
void test_bounds() {
  Random random(5);
  bool greedy_is_always_consistent = true;
  for (int trial = 0; trial < 150; ++trial) {
    const std::size_t n = 1 + random.below(trial < 140 ? 8 : 10);
    const RandomLists drawn(random, n, 25, 4, trial % 3 != 0);
    const ComponentLists lists = whole(drawn.view());
    const OrderGraph graph(lists);
    const std::vector<double> completions = best_completions(lists);
    CHECK(graph.is_feasible() == std::isfinite(completions[0]));
    if (!graph.is_feasible()) continue;
    NoControl control;
    const SimpleHeuristic simple(lists);
    CHECK(is_admissible(simple, completions));
    CHECK(is_consistent(simple, lists));
    for (const std::size_t bytes : {std::size_t{1} << 30, std::size_t{200}}) {
      const auto sizes = pattern_sizes(n, bytes);
      const auto rough = pattern_groups(graph, sizes);
      const auto groups = sharpen_groups(lists, graph, rough, 1 << 10, control);
      CHECK(StaticPatterns(lists, graph, groups, 1, control)(0) <=
            StaticPatterns(lists, graph, rough, 1, control)(0) + kRounding);
      std::uint64_t united = 0;
      for (std::size_t at = 0; at < groups.size(); ++at) {
        CHECK((united & groups[at]) == 0);
        CHECK(std::popcount(groups[at]) == std::popcount(rough[at]));
        united |= groups[at];
      }
      CHECK(united == graph.everything());
      const StaticPatterns patterns(lists, graph, groups, 2, control);
      CHECK(patterns.is_complete());
      CHECK(is_admissible(patterns, completions));
      CHECK(is_consistent(patterns, lists));
      for (std::uint64_t placed = 0; placed < completions.size(); ++placed) {
        CHECK(patterns(placed) <= simple(placed) + kRounding);
      }
    }
    const std::vector<std::uint64_t> one_group{graph.everything()};
    const StaticPatterns exact(lists, graph, one_group, 1, control);
    for (std::uint64_t placed = 0; placed < completions.size(); ++placed) {
      if (std::isfinite(completions[placed])) {
        CHECK(std::abs(exact(placed) - completions[placed]) < kRounding);
      }
    }
    const CyclePatterns pairs(lists, graph, 2, control);
    CHECK(is_admissible(pairs, completions));
    CHECK(is_consistent(pairs, lists));
    for (const std::size_t size : {3, 4, 20}) {
      const CyclePatterns cycles(lists, graph, size, control);
      CHECK(is_admissible(cycles, completions));
      greedy_is_always_consistent = greedy_is_always_consistent && is_consistent(cycles, lists);
    }
  }
  CHECK(!greedy_is_always_consistent);
}

// Checks that the matching is half of the best assignment over all permutations, and not below the
// best matching.
void test_fractional_matching() {
  Random random(9);
  bool is_stronger_somewhere = false;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t n = 1 + random.below(7);
    std::vector<double> weights(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double weight = random.below(2) == 0 ? 0 : static_cast<double>(random.below(30)) / 7;
        weights[i * n + j] = weights[j * n + i] = weight;
      }
    }
    std::uint64_t vertices = random() & ((std::uint64_t{1} << n) - 1);
    std::vector<std::size_t> chosen;
    for (std::size_t v = 0; v < n; ++v) {
      if ((vertices >> v & 1) != 0) chosen.push_back(v);
    }
    std::vector<std::size_t> images = chosen;
    double assignment = 0;
    double matching = 0;
    do {
      double sum = 0;
      bool is_matching = true;
      for (std::size_t at = 0; at < chosen.size(); ++at) {
        sum += weights[chosen[at] * n + images[at]] / 2;
        const auto back = std::ranges::find(chosen, images[at]) - chosen.begin();
        is_matching = is_matching && images[static_cast<std::size_t>(back)] == chosen[at];
      }
      assignment = std::max(assignment, sum);
      if (is_matching) matching = std::max(matching, sum);
    } while (std::ranges::next_permutation(images).found);
    const double found = fractional_matching(weights, n, vertices);
    CHECK(std::abs(found - assignment) < kRounding);
    CHECK(found >= matching - kRounding);
    if (found > matching + kRounding) is_stronger_somewhere = true;
  }
  CHECK(is_stronger_somewhere);
}

// Checks that groups are a partition of the sizes asked for, and that no exchange of two variables
// makes the pairs within groups weigh more.
void test_groups() {
  Random random(13);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t n = 2 + random.below(12);
    const RandomLists drawn(random, n, 30, 4);
    const ComponentLists lists = whole(drawn.view());
    const OrderGraph graph(lists);
    const std::size_t first = 1 + random.below(n - 1);
    const std::vector<std::size_t> sizes{first, n - first};
    const auto groups = pattern_groups(graph, sizes);
    CHECK(groups.size() == 2);
    CHECK((groups[0] ^ groups[1]) == graph.everything());
    CHECK(static_cast<std::size_t>(std::popcount(groups[0])) == first);
    const auto weights = pair_losses(graph);
    const auto within = [&](std::uint64_t group) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if ((group >> i & 1) == (group >> j & 1)) sum += weights[i * n + j];
        }
      }
      return sum;
    };
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if ((groups[0] >> i & 1) == 0 || (groups[0] >> j & 1) != 0) continue;
        const std::uint64_t exchanged =
            groups[0] ^ (std::uint64_t{1} << i) ^ (std::uint64_t{1} << j);
        CHECK(within(exchanged) <= within(groups[0]) + 1e-6);
      }
    }
  }
  CHECK(pattern_sizes(1, 1000) == std::vector<std::size_t>{1});
  CHECK((pattern_sizes(27, std::size_t{1} << 30) == std::vector<std::size_t>{13, 14}));
  for (std::size_t n = 0; n <= 64; ++n) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 12, std::size_t{1} << 40}) {
      std::size_t sum = 0;
      for (const std::size_t size : pattern_sizes(n, bytes)) sum += size;
      CHECK(sum == n);
    }
  }
}

// Checks that the best completion of every closed set is also found along the variables that the
// order graph places next.
void test_reductions() {
  Random random(17);
  std::size_t n_left_out = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(9);
    const RandomLists drawn(random, n, trial % 2 == 0 ? 5 : 20, 3, trial % 3 != 0);
    const ComponentLists lists = whole(drawn.view());
    const OrderGraph graph(lists);
    if (!graph.is_feasible()) continue;
    const SimpleHeuristic simple(lists);
    const std::vector<double> completions = best_completions(lists);
    std::vector<double> losses(completions.size(), std::numeric_limits<double>::infinity());
    for (std::uint64_t placed = losses.size(); placed-- > 0;) {
      if (!std::isfinite(completions[placed])) continue;
      const std::uint64_t closed = graph.close(placed);
      if (closed != placed) {
        losses[placed] = losses[closed];
      } else if (placed == graph.everything()) {
        losses[placed] = 0;
      } else {
        OrderGraph::Positions families;
        const std::uint64_t next = graph.next(placed, families);
        CHECK(next != 0 && (next & placed) == 0);
        for (std::size_t v = 0; v < n; ++v) {
          if ((placed >> v & 1) == 0 && (next >> v & 1) == 0) ++n_left_out;
          if ((next >> v & 1) == 0) continue;
          CHECK(families[v] == lists.best(v, placed));
          const double after = losses[graph.close(placed | std::uint64_t{1} << v)];
          losses[placed] = std::min(losses[placed], graph.loss(v, families[v]) + after);
        }
      }
      CHECK(std::abs(simple(placed) - losses[placed] - completions[placed]) < kRounding);
    }
  }
  CHECK(n_left_out > 500);
}

}  // namespace

int main() {
  test_bounds();
  test_fractional_matching();
  test_groups();
  test_reductions();
}
