#include "credenet/lattice/best_parents.hpp"

#include <bit>
#include <vector>

#include "brute_force.hpp"
#include "check.hpp"
#include "families/random_lists.hpp"

using credenet::BestParents;
using credenet::ComponentLists;
using credenet::Random;

namespace {

// Checks that the position is the same as by scanning, for every set of available variables.
void check_all(const ComponentLists& lists) {
  const BestParents best(lists);
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    for (std::uint64_t available = 0; available < std::uint64_t{1} << lists.n_variables();
         ++available) {
      CHECK(best(v, available) == lists.best(v, available));
    }
  }
}

// Checks all sets of four parents: none has another as a subset, so the list takes several words.
void test_long_lists(bool with_empty) {
  constexpr std::int32_t kN = 11;
  BitLists sets;
  for (std::int32_t v = 0; v < kN; ++v) {
    for (unsigned set = 1 << kN; set-- > 0;) {
      if ((set >> v & 1) != 0 || (std::popcount(set) != 4 && (set != 0 || !with_empty))) continue;
      sets.add_family(-static_cast<double>(sets.scores.size()), set);
    }
    sets.end_variable();
  }
  const ComponentLists lists = whole(sets.view());
  CHECK(lists.size(0) == (with_empty ? 211 : 210));
  check_all(lists);
}

}  // namespace

int main() {
  test_long_lists(true);
  test_long_lists(false);
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = 1 + random.below(11);
    const RandomLists drawn(random, n, 100, 6, trial % 2 == 0);
    check_all(whole(drawn.view()));
  }
}
