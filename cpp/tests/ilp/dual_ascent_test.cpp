#include "credenet/ilp/dual_ascent.hpp"

#include <limits>

#include "check.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"

using namespace credenet;

namespace {

// Checks that the bound holds for every network, never rises, and is met where the ascent says it
// is.
void test_ascent() {
  Random random(3);
  NoControl control;
  int n_tight = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random.below(4);
    const RandomLists drawn(random, n, 5, 3, random.below(4) > 0);
    FamilyRows rows(drawn.view());
    std::vector<std::uint8_t> alive(rows.n_families());
    for (auto& life : alive) life = random.below(8) > 0 ? 1 : 0;
    const RowBound trivial = rows.bound({}, {}, alive);
    const DualAscent ascent = dual_ascent(drawn.view(), alive, trivial.losses, 100, control);
    std::vector<std::int32_t> numbers;
    for (const Cut& cut : ascent.cuts) numbers.push_back(rows.add(cut));
    const RowBound bound = rows.bound(numbers, ascent.multipliers, alive);
    double charged = 0;
    for (const double multiplier : ascent.multipliers) charged += multiplier;
    if (trivial.bound > -1e300) CHECK(is_close(bound.bound, trivial.bound - charged));
    double best = -std::numeric_limits<double>::infinity();
    for_each_network(drawn.view(), [&](const std::vector<double>& x) {
      for (std::size_t f = 0; f < x.size(); ++f) {
        if (x[f] > 0 && alive[f] == 0) return;
      }
      best = std::max(best, score_of_use(drawn.view(), x));
    });
    CHECK(best <= bound.bound);
    if (is_close(best, bound.bound)) ++n_tight;
  }
  CHECK(n_tight > 100);
}

}  // namespace

int main() { test_ascent(); }
