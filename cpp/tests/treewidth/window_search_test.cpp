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
using credenet::window_search;
using credenet::WindowSearch;

namespace {

void check_network(const FamilyLists& lists, const BoundedResult& network, std::size_t tree_width) {
  CHECK(credenet::is_within(lists, network.families, network.decomposition));
  CHECK(network.decomposition.width() <= tree_width);
  CHECK(is_acyclic_choice(lists, network.families));
  CHECK(network.score == score_of_choice(lists, network.families));
}

// A network within bags drawn at random; without families if there is none.
BoundedResult draw_network(Random& random, const FamilyLists& lists, std::size_t tree_width) {
  NoControl control;
  const auto bags = draw_decomposition(random, lists.n_variables(), tree_width + 1);
  return best_within(lists, bags, control);
}

// The score never falls, the network stays legal, and the optimum is often reached.
// Windows have so many variables more than a bag.
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
    for (std::size_t size = k + 2; size < k + 1 + n_more; ++size) CHECK(search.grow());
    CHECK(search.window_size() == k + 1 + n_more && !search.grow());
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

// More variables than fit into windows, and a window for all variables.
void check_search() {
  Random random(2);
  NoControl control;
  const RandomLists many(random, 25, 200, 3);
  const BoundedResult start = draw_network(random, many.view(), 2);
  const auto better =
      window_search(many.view(), start, {.tree_width = 2, .n_windows = 100, .seed = 3}, control);
  check_network(many.view(), better, 2);
  CHECK(better.score > start.score && better.score <= better.bound);
  CHECK(better.status == Status::kIterationLimit && better.n_expanded == 100);
  CHECK(better.trace.size() > 1 && better.trace.back().score == better.score);
  const auto again =
      window_search(many.view(), start, {.tree_width = 2, .n_windows = 100, .seed = 3}, control);
  CHECK(again.families == better.families);

  const RandomLists few(random, 6, 20, 3);
  const BoundedResult small = draw_network(random, few.view(), 2);
  const auto solved =
      window_search(few.view(), small, {.tree_width = 2, .n_windows = 500}, control);
  CHECK(solved.status == Status::kOptimal && solved.bound == solved.score);
  check_bounded(few.view(), solved, bounded_dp(few.view(), {.tree_width = 2}, control).score);
}

void check_edges() {
  Random random(4);
  NoControl control;
  const RandomLists many(random, 12, 60, 3);
  const BoundedResult start = draw_network(random, many.view(), 2);
  for (const int poll : {1, 5, 50}) {
    StopAt stop(poll);
    const auto stopped = window_search(many.view(), start, {.tree_width = 2}, stop);
    CHECK(stopped.status == Status::kStopped);
    check_network(many.view(), stopped, 2);
    CHECK(stopped.score >= start.score);
  }
  CHECK_THROWS(window_search(many.view(), start, {.tree_width = 1}, control),
               std::invalid_argument);
  CHECK_THROWS(window_search(many.view(), start, {.tree_width = 9}, control),
               std::invalid_argument);
}

}  // namespace

int main() {
  check_windows(2, 0.25);
  check_windows(3, 0.5);
  check_search();
  check_edges();
  return 0;
}
