#include "credenet/treewidth/window_search.hpp"

#include <stdexcept>

#include "check.hpp"
#include "credenet/treewidth/bounded_dp.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"
#include "treewidth/bounded_brute_force.hpp"

using credenet::best_within;
using credenet::BoundedResult;
using credenet::FamilyIndex;
using credenet::FamilyLists;
using credenet::NoControl;
using credenet::Random;
using credenet::Status;
using credenet::WindowSearch;

namespace {

void check_network(const FamilyLists& lists, const BoundedResult& network, std::size_t tree_width) {
  CHECK(credenet::is_within(lists, network.families, network.decomposition));
  CHECK(network.decomposition.width() <= tree_width);
  CHECK(is_acyclic(lists, network.families));
  CHECK(network.score == score_of(lists, network.families));
}

// A network within bags drawn at random; without families if there is none.
BoundedResult draw_network(Random& random, const FamilyLists& lists, std::size_t tree_width) {
  NoControl control;
  const auto bags = draw_decomposition(random, lists.n_variables(), tree_width + 1);
  return best_within(lists, bags, control);
}

// Checks that the score never falls, the network stays legal, and the optimum is often reached.
// Windows have n_more variables more than a bag.
void check_windows(std::size_t n_more, double least_optimal) {
  Random random(1);
  NoControl control;
  std::size_t n_optimal = 0;
  std::size_t n_risen = 0;
  std::size_t n_runs = 0;
  for (std::size_t round = 0; round < 60; ++round) {
    const std::size_t k = 1 + random.below(3);
    const std::size_t n = k + 5 + random.below(2);
    const RandomLists drawn(random, n, 30, 4);
    const RootedLists rooted(random, n, 30, 3);
    const FamilyLists lists = round % 3 == 0 ? rooted.view() : drawn.view();
    BoundedResult network = draw_network(random, lists, k);
    if (network.status != Status::kOptimal) continue;
    ++n_runs;
    const double first = network.score;
    const FamilyIndex index(lists, k);
    WindowSearch search(index, k, credenet::bounded_dp_steps(k + 1 + n_more, k));
    CHECK(search.window_size() == k + 1 + n_more);
    for (int window = 0; window < 60; ++window) {
      const double before = network.score;
      CHECK(search.improve(network, random, control));
      check_network(lists, network, k);
      CHECK(network.score >= before - 1e-9);
    }
    const double best = bounded_dp(lists, {.tree_width = k}, control).score;
    CHECK(network.score <= best + 1e-9);
    n_optimal += network.score >= best - 1e-9 ? 1 : 0;
    n_risen += network.score > first + 1e-9 ? 1 : 0;
  }
  CHECK(n_runs > 30);
  CHECK(n_risen * 2 > n_runs);
  CHECK(static_cast<double>(n_optimal) > least_optimal * static_cast<double>(n_runs));
}

// Improves the network by n_windows windows. False if one of them was stopped.
bool improve(const FamilyLists& lists, BoundedResult& network, int n_windows, double max_steps,
             credenet::Control& control) {
  const FamilyIndex index(lists, 2);
  WindowSearch search(index, 2, max_steps);
  Random random(3);
  for (int window = 0; window < n_windows; ++window) {
    if (!search.improve(network, random, control)) return false;
  }
  return true;
}

// Checks more variables than fit into windows, and a window for all variables.
void check_search() {
  Random random(2);
  NoControl control;
  const RandomLists many(random, 25, 200, 3);
  const BoundedResult start = draw_network(random, many.view(), 2);
  BoundedResult better = start;
  CHECK(improve(many.view(), better, 100, 2e7, control));
  check_network(many.view(), better, 2);
  CHECK(better.score > start.score);
  BoundedResult again = start;
  CHECK(improve(many.view(), again, 100, 2e7, control));
  CHECK(again.families == better.families);

  const RandomLists few(random, 6, 20, 3);
  BoundedResult solved = draw_network(random, few.view(), 2);
  CHECK(improve(few.view(), solved, 1, 1e9, control));
  CHECK(solved.status == Status::kOptimal);
  solved.bound = solved.score;
  check_bounded(few.view(), solved, bounded_dp(few.view(), {.tree_width = 2}, control).score);
}

void check_edges() {
  Random random(4);
  const RandomLists many(random, 12, 60, 3);
  const BoundedResult start = draw_network(random, many.view(), 2);
  for (const int poll : {1, 5, 50}) {
    StopAt stop(poll);
    BoundedResult stopped = start;
    CHECK(!improve(many.view(), stopped, 100'000, 2e7, stop));
    check_network(many.view(), stopped, 2);
    CHECK(stopped.score >= start.score);
  }
  const FamilyIndex index(many.view(), 9);
  CHECK_THROWS(WindowSearch(index, 9, 1e9), std::invalid_argument);
}

}  // namespace

int main() {
  check_windows(2, 0.25);
  check_windows(3, 0.5);
  check_search();
  check_edges();
  return 0;
}
