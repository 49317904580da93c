#include "credenet/posterior/dag_state.hpp"

#include <array>
#include <cmath>

#include "check.hpp"
#include "credenet/credible/network_features.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

namespace {

// Checks paths of the state and their times against PathSums, which finds the paths of each
// network.
void check_random(Random& random, std::size_t n) {
  const RandomLists drawn(random, n, 6, 3, true);
  const FamilyLists lists = drawn.view();
  std::vector<std::int64_t> families;
  for (std::size_t v = 0; v < n; ++v) {
    std::size_t family = lists.begin(v);
    while (!lists.parents_of(family).empty()) ++family;
    families.push_back(static_cast<std::int64_t>(family));
  }
  DagState state(lists, families);
  PathSums expected(n);
  double time = 0;
  std::vector<std::uint64_t> reached(state.n_words());
  for (int k = 0; k < 60; ++k) {
    const std::size_t v = random.below(n);
    const auto family =
        static_cast<std::int64_t>(lists.begin(v) + random.below(lists.end(v) - lists.begin(v)));
    bool closes = false;
    for (const std::int32_t p : lists.parents_of(static_cast<std::size_t>(family))) {
      closes = closes || state.has_path(v, static_cast<std::size_t>(p));
    }
    if (!closes) {
      state.detach(v, state.families()[v]);
      state.attach(v, family);
      state.settle(std::array{DagState::Change{v, family}});
    }
    const double stay = random.uniform();
    state.advance(stay);
    time += stay;
    expected.add(lists, {state.families(), n}, std::array{stay});
    state.reach(v, reached);
    std::size_t n_edges = 0;
    for (std::size_t w = 0; w < n; ++w) {
      CHECK((reached[w / 64] >> (w % 64) & 1) == (w == v || state.has_path(v, w) ? 1 : 0));
      n_edges += state.parents(w).size();
      for (const std::int32_t p : state.parents(w)) {
        CHECK(state.has_edge(static_cast<std::size_t>(p), w));
      }
    }
    CHECK(state.n_edges() == n_edges);
  }
  std::vector<double> times(n * n);
  CHECK(std::abs(state.take_path_times(times) - time) < 1e-9);
  for (std::size_t at = 0; at < times.size(); ++at) {
    CHECK(std::abs(times[at] - expected.sums()[at]) < 1e-9);
  }
}

}  // namespace

int main() {
  Random random(3);
  for (int k = 0; k < 30; ++k) check_random(random, 1 + random.below(8));
  for (const std::size_t n : {64, 65, 130}) check_random(random, n);
  return 0;
}
