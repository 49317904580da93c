#include "credenet/local/order_search.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "credenet/local/insertion_search.hpp"
#include "families/networks_of_lists.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"

using credenet::FamilyLists;
using credenet::InsertionSearch;
using credenet::NoControl;
using credenet::order_search;
using credenet::OrderLists;
using credenet::OrderSearchOptions;
using credenet::Random;
using credenet::SearchResult;
using credenet::Status;

namespace {

std::vector<std::int32_t> random_order(std::size_t n, Random& random) {
  std::vector<std::int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t at = n; at > 1; --at) std::swap(order[at - 1], order[random.below(at)]);
  return order;
}

void check_network(const FamilyLists& lists, const SearchResult& result) {
  CHECK(result.families.size() == lists.n_variables());
  CHECK(is_acyclic(lists, result.families));
  CHECK(result.score == score_of(lists, result.families));
  CHECK(result.score <= result.bound);
  CHECK((result.status == Status::kOptimal) == (result.score == result.bound));
}

// Checks that after climbing the families are the best for the order, and no insertion leads to a
// better one.
void test_climb_ends_in_local_optimum() {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(9);
    const RandomLists drawn(random, n, 15, 4);
    const FamilyLists lists = drawn.view();
    const OrderLists order_lists(lists);
    InsertionSearch search(order_lists);
    const auto start = random_order(n, random);
    search.set_order(start);
    CHECK(is_close(search.score(), score_of_order(lists, start)));
    for (int round = 0; round < 4; ++round) {
      search.climb();
      CHECK(is_close(search.score(), score_of_order(lists, search.order())));
      for (std::size_t from = 0; from < n; ++from) {
        for (std::size_t to = 0; to < n; ++to) {
          auto order = search.order();
          const std::int32_t variable = order[from];
          order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
          order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), variable);
          CHECK(score_of_order(lists, order) <= search.score() + 1e-6);
        }
      }
      const double before = search.score();
      search.iterate(random_order(n, random), random);
      CHECK(is_close(search.score(), score_of_order(lists, search.order())));
      CHECK(search.score() >= before - 1e-6);
      search.redraw(random);
      CHECK(is_close(search.score(), score_of_order(lists, search.order())));
      CHECK(search.score() >= before - 1e-6);
    }
  }
}

void test_finds_the_optimum() {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 1 + random.below(7);
    const RandomLists drawn(random, n, 20, 4);
    const FamilyLists lists = drawn.view();
    NoControl control;
    const SearchResult result =
        order_search(lists, {}, {.seed = static_cast<std::uint64_t>(trial)}, control);
    check_network(lists, result);
    CHECK(is_close(result.score, best_score(lists)));
  }
}

// Checks lists without the empty set: a network is found if and only if there is one.
void test_feasibility() {
  Random random(4);
  int n_feasible = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(6);
    const RootedLists drawn(random, n, 6, 2);
    const FamilyLists lists = drawn.view();
    const double expected = best_score(lists);
    NoControl control;
    const SearchResult result = order_search(lists, {}, {.n_iterations = 500}, control);
    if (std::isinf(expected)) {
      CHECK(result.status == Status::kInfeasible);
      CHECK(result.families.empty());
    } else {
      ++n_feasible;
      check_network(lists, result);
      CHECK(is_close(result.score, expected));
    }
  }
  CHECK(n_feasible > 50 && n_feasible < 250);
}

void test_is_never_worse_than_its_start() {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 2 + random.below(20);
    const RandomLists drawn(random, n, 30, 4);
    const FamilyLists lists = drawn.view();
    NoControl control;
    const SearchResult good = order_search(lists, {}, {.seed = 9, .n_iterations = 300}, control);
    const SearchResult again =
        order_search(lists, good.families, {.n_iterations = 1, .n_orders = 1}, control);
    check_network(lists, again);
    CHECK(again.score >= good.score);
  }
}

void test_does_not_depend_on_threads() {
  Random random(6);
  for (int trial = 0; trial < 10; ++trial) {
    const RandomLists drawn(random, 30, 30, 3);
    OrderSearchOptions options{.seed = static_cast<std::uint64_t>(trial), .n_iterations = 700};
    NoControl control;
    const SearchResult one = order_search(drawn.view(), {}, options, control);
    check_network(drawn.view(), one);
    for (const unsigned n_threads : {2U, 5U}) {
      options.n_threads = n_threads;
      const SearchResult many = order_search(drawn.view(), {}, options, control);
      CHECK(many.families == one.families);
      CHECK(many.score == one.score);
      CHECK(many.n_expanded == one.n_expanded);
    }
  }
}

void test_stopped_anywhere_it_has_a_network() {
  Random random(7);
  const RandomLists drawn(random, 25, 20, 3);
  for (const int n_polls : {1, 2, 3, 7, 150, 201, 400, 801, 1500}) {
    StopAt control(n_polls);
    const SearchResult result =
        order_search(drawn.view(), {}, {.n_iterations = 0, .n_threads = 2}, control);
    check_network(drawn.view(), result);
    CHECK(result.status == Status::kStopped);
    CHECK(result.trace.back().score == result.score);
  }
}

}  // namespace

int main() {
  test_climb_ends_in_local_optimum();
  test_finds_the_optimum();
  test_feasibility();
  test_is_never_worse_than_its_start();
  test_does_not_depend_on_threads();
  test_stopped_anywhere_it_has_a_network();
}
