#include "credenet/local/exact_windows.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "check.hpp"
#include "credenet/local/insertion_search.hpp"
#include "families/networks_of_lists.hpp"
#include "families/random_lists.hpp"

using credenet::ExactWindows;
using credenet::FamilyLists;
using credenet::InsertionSearch;
using credenet::OrderLists;
using credenet::Random;

namespace {

// The best score over all acyclic choices of families for some variables.
double best_score(const FamilyLists& lists, std::span<const std::int32_t> members,
                  std::vector<std::int32_t>& families) {
  if (members.empty()) {
    if (!is_acyclic(lists, families)) return -std::numeric_limits<double>::infinity();
    return score_of(lists, families);
  }
  const auto v = static_cast<std::size_t>(members.front());
  const std::int32_t kept = families[v];
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
    families[v] = static_cast<std::int32_t>(family - lists.begin(v));
    best = std::max(best, best_score(lists, members.subspan(1), families));
  }
  families[v] = kept;
  return best;
}

// Checks windows among more variables than they can have: the others keep their families.
void test_a_window_is_optimal() {
  Random random(1);
  std::size_t n_better = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const std::size_t n = 2 + random.below(8);
    const std::size_t most = 1 + random.below(4);
    const RandomLists drawn(random, n, 4, 3);
    const FamilyLists lists = drawn.view();
    const OrderLists order_lists(lists);
    InsertionSearch search(order_lists);
    ExactWindows windows(order_lists, most);
    for (int round = 0; round < 5; ++round) {
      search.redraw(random);
      std::vector<std::int32_t> families = search.families();
      std::vector<std::int32_t> before = families;
      const bool is_better = windows.improve(search.order(), search.places(), families, random);
      CHECK(windows.members().size() <= most);
      CHECK(is_acyclic(lists, families));
      const double best = best_score(lists, windows.members(), before);
      CHECK(is_close(score_of(lists, families), best));
      CHECK(is_better == (best > score_of(lists, before) + 1e-9));
      for (std::size_t v = 0; v < n; ++v) {
        CHECK(families[v] == before[v] ||
              std::ranges::count(windows.members(), static_cast<std::int32_t>(v)) == 1);
      }
      n_better += is_better ? 1 : 0;
      search.set_network(families, random);
    }
  }
  CHECK(n_better > 50);
}

void test_a_window_of_all_variables_finds_the_optimum() {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 2 + random.below(5);
    const RandomLists drawn(random, n, 6, 4);
    const FamilyLists lists = drawn.view();
    const OrderLists order_lists(lists);
    InsertionSearch search(order_lists);
    ExactWindows windows(order_lists);
    for (int round = 0; round < 30; ++round) search.optimise_window(windows, random);
    std::vector<std::int32_t> all(n);
    for (std::size_t v = 0; v < n; ++v) all[v] = static_cast<std::int32_t>(v);
    std::vector<std::int32_t> families = search.families();
    CHECK(is_close(search.score(), best_score(lists, all, families)));
  }
}

}  // namespace

int main() {
  test_a_window_is_optimal();
  test_a_window_of_all_variables_finds_the_optimum();
}
