#include "credenet/lattice/astar.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include "brute_force.hpp"
#include "check.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

namespace {

constexpr double kRounding = 1e-9;

using Families = std::vector<std::int32_t>;
using Search = std::function<SearchResult(const ComponentLists&, const OrderGraphOptions&,
                                          const Families&, Control&)>;

const std::vector<Search>& all_searches() {
  static const std::vector<Search> searches{
      astar,
      [](const ComponentLists& lists, const OrderGraphOptions& options, const Families& start,
         Control& control) { return weighted_astar(lists, options, 3, start, control); },
      [](const ComponentLists& lists, const OrderGraphOptions& options, const Families& start,
         Control& control) { return ara_star(lists, options, 4, 0.7, start, control); },
      awa_star};
  return searches;
}

std::vector<OrderGraphOptions> all_options(std::size_t n) {
  std::vector<OrderGraphOptions> all;
  all.push_back({.heuristic = HeuristicKind::kSimple});
  all.push_back({.heuristic = HeuristicKind::kStatic});
  all.push_back({.heuristic = HeuristicKind::kStatic,
                 .pattern_sizes = std::vector<std::size_t>(n, 1),
                 .n_threads = 3});
  all.push_back({.heuristic = HeuristicKind::kDynamic});
  all.push_back({.heuristic = HeuristicKind::kDynamic, .cycle_size = 3});
  return all;
}

class StopAfter final : public Control {
 public:
  explicit StopAfter(std::size_t n_polls) : left_(n_polls) {}
  [[nodiscard]] bool poll(const Progress& progress) override {
    if (!std::isnan(progress.bound)) CHECK(progress.score <= progress.bound);
    if (left_ == 0) return false;
    --left_;
    return true;
  }

 private:
  std::size_t left_;
};

void check_valid(const ComponentLists& lists, const SearchResult& result, double optimum) {
  CHECK(result.families.size() == lists.n_variables());
  CHECK(is_acyclic(lists, result.families));
  CHECK(result.score == lists.score(result.families));
  CHECK(result.score <= optimum + kRounding);
  CHECK(result.bound >= optimum - kRounding);
  CHECK(!result.trace.empty());
  CHECK(result.trace.back().score == result.score && result.trace.back().bound == result.bound);
  for (std::size_t at = 1; at < result.trace.size(); ++at) {
    CHECK(result.trace[at].score >= result.trace[at - 1].score);
    CHECK(result.trace[at].bound <= result.trace[at - 1].bound);
  }
}

void check_optimal(const ComponentLists& lists, const SearchResult& result, double optimum) {
  check_valid(lists, result, optimum);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.bound == result.score);
  CHECK(std::abs(result.score - optimum) < kRounding);
}

void test_against_all_orders() {
  Random random(21);
  int n_infeasible = 0;
  for (int trial = 0; trial < 250; ++trial) {
    const std::size_t n = 1 + random.below(7);
    const RandomLists drawn(random, n, trial % 2 == 0 ? 6 : 25, 4, trial % 3 != 0);
    const ComponentLists lists = whole(drawn.view());
    const double optimum = best_of_all_orders(lists);
    for (const Search& search : all_searches()) {
      for (const OrderGraphOptions& options : all_options(n)) {
        NoControl control;
        const SearchResult result = search(lists, options, {}, control);
        if (std::isfinite(optimum)) {
          check_optimal(lists, result, optimum);
        } else {
          CHECK(result.status == Status::kInfeasible);
          CHECK(result.families.empty());
          ++n_infeasible;
        }
      }
    }
  }
  CHECK(n_infeasible > 100);
}

// Checks larger lists against the table of all subsets.
void test_against_subsets() {
  Random random(23);
  for (int trial = 0; trial < 12; ++trial) {
    const std::size_t n = 10 + random.below(4);
    const RandomLists drawn(random, n, 120, 4, trial % 4 != 0);
    const ComponentLists lists = whole(drawn.view());
    const double optimum = best_completions(lists)[0];
    if (!std::isfinite(optimum)) continue;
    for (const Search& search : all_searches()) {
      for (const OrderGraphOptions& options : all_options(n)) {
        NoControl control;
        check_optimal(lists, search(lists, options, {}, control), optimum);
      }
    }
  }
}

// Checks that whenever a search is stopped, there is a network and a bound; given more time, the
// network does not get worse, nor does the bound if the heuristic is consistent.
void test_stopping() {
  Random random(27);
  for (int trial = 0; trial < 6; ++trial) {
    const std::size_t n = 7 + random.below(3);
    const RandomLists drawn(random, n, 40, 4);
    const ComponentLists lists = whole(drawn.view());
    const double optimum = best_completions(lists)[0];
    for (const Search& search : all_searches()) {
      for (const OrderGraphOptions& options : all_options(n)) {
        double score = -std::numeric_limits<double>::infinity();
        double bound = std::numeric_limits<double>::infinity();
        for (std::size_t n_polls = 0;; ++n_polls) {
          StopAfter control(n_polls);
          const SearchResult result = search(lists, options, {}, control);
          check_valid(lists, result, optimum);
          CHECK(result.score >= score);
          if (options.cycle_size == 2) CHECK(result.bound <= bound + kRounding);
          score = result.score;
          bound = result.bound;
          if (result.status == Status::kOptimal) break;
          CHECK(result.status == Status::kStopped);
          CHECK(n_polls < 5000);
        }
      }
    }
  }
}

// Checks that the best network given at the start is the answer, whether the search comes to an end
// or not.
void test_start() {
  Random random(31);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t n = 5 + random.below(4);
    const RandomLists drawn(random, n, 40, 4);
    const ComponentLists lists = whole(drawn.view());
    NoControl control;
    const SearchResult best = astar(lists, {}, {}, control);
    for (const Search& search : all_searches()) {
      for (const OrderGraphOptions& options : all_options(n)) {
        const SearchResult again = search(lists, options, best.families, control);
        check_optimal(lists, again, best.score);
        CHECK(again.families == best.families);
        StopAfter at_once(0);
        const SearchResult stopped = search(lists, options, best.families, at_once);
        check_valid(lists, stopped, best.score);
        CHECK(stopped.families == best.families);
      }
    }
  }
}

void test_memory_limit() {
  Random random(37);
  bool some_within = false;
  for (int trial = 0; trial < 4; ++trial) {
    const std::size_t n = 14;
    const RandomLists drawn(random, n, 300, 5);
    const ComponentLists lists = whole(drawn.view());
    NoControl control;
    const SearchResult best = astar(lists, {}, {}, control);
    for (const Search& search : all_searches()) {
      for (OrderGraphOptions options : all_options(n)) {
        const SearchResult free = search(lists, options, {}, control);
        check_optimal(lists, free, best.score);
        options.max_bytes = free.peak_bytes;
        CHECK(search(lists, options, {}, control).peak_bytes <= free.peak_bytes);
        for (const std::size_t part : {2, 100}) {
          options.max_bytes = free.peak_bytes / part;
          const SearchResult result = search(lists, options, {}, control);
          CHECK(result.peak_bytes <= options.max_bytes);
          check_valid(lists, result, best.score);
          if (result.status == Status::kMemoryLimit) some_within = true;
        }
        options.max_bytes = 0;
        CHECK(search(lists, options, {}, control).status == Status::kMemoryLimit);
      }
    }
  }
  CHECK(some_within);
}

// Checks that nothing depends on the threads that make the tables of patterns.
void test_threads() {
  Random random(41);
  for (int trial = 0; trial < 10; ++trial) {
    const RandomLists drawn(random, 13, 100, 4);
    const ComponentLists lists = whole(drawn.view());
    NoControl control;
    const SearchResult one = astar(lists, {.pattern_sizes = {4, 4, 5}}, {}, control);
    const SearchResult four =
        astar(lists, {.pattern_sizes = {4, 4, 5}, .n_threads = 4}, {}, control);
    CHECK(one.families == four.families);
    CHECK(one.score == four.score && one.n_expanded == four.n_expanded);
  }
}

// Checks sixty-four variables, which use all bits of a set: a ring in which each wants the one
// before it.
void test_most_variables() {
  constexpr std::int32_t kN = 64;
  BitLists ring;
  for (std::int32_t v = 0; v < kN; ++v) {
    ring.add_family(-1, std::uint64_t{1} << (v + kN - 1) % kN);
    ring.add_family(-2 - (v + 5) % kN, 0);
    ring.end_variable();
  }
  const ComponentLists lists = whole(ring.view());
  for (const Search& search : all_searches()) {
    for (const HeuristicKind kind :
         {HeuristicKind::kSimple, HeuristicKind::kStatic, HeuristicKind::kDynamic}) {
      NoControl control;
      check_optimal(lists, search(lists, {.heuristic = kind}, {}, control), -kN - 1);
    }
  }
}

}  // namespace

int main() {
  test_against_all_orders();
  test_against_subsets();
  test_stopping();
  test_start();
  test_memory_limit();
  test_threads();
  test_most_variables();
}
