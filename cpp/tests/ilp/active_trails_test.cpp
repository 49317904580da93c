#include "credenet/ilp/active_trails.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "check.hpp"
#include "credenet/graphs/reachability.hpp"
#include "credenet/util/random.hpp"

using namespace credenet;

namespace {

std::vector<WeightedArc> chosen_arcs(const std::vector<WeightedArc>& arcs, std::size_t mask) {
  std::vector<WeightedArc> chosen;
  for (std::size_t at = 0; at < arcs.size(); ++at) {
    if ((mask >> at & 1) != 0) chosen.push_back(arcs[at]);
  }
  return chosen;
}

bool is_connected(std::size_t n, const std::vector<WeightedArc>& arcs, std::int32_t x,
                  std::int32_t y, const std::vector<std::int32_t>& z) {
  std::vector<Node> from;
  std::vector<Node> to;
  for (const WeightedArc& arc : arcs) {
    from.push_back(arc.tail);
    to.push_back(arc.head);
  }
  const std::vector<Node> start{x};
  return d_connected(Digraph(n, {from, to}), start, z)[static_cast<std::size_t>(y)] != 0;
}

double weight_of(const std::vector<WeightedArc>& arcs) {
  double sum = 0;
  for (const WeightedArc& arc : arcs) sum += arc.weight;
  return sum;
}

// The least weight of a set of arcs that connects, by looking at all sets.
double least_weight(std::size_t n, const std::vector<WeightedArc>& arcs, std::int32_t x,
                    std::int32_t y, const std::vector<std::int32_t>& z) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t mask = 0; mask < std::size_t{1} << arcs.size(); ++mask) {
    const auto chosen = chosen_arcs(arcs, mask);
    if (weight_of(chosen) < least && is_connected(n, chosen, x, y, z)) least = weight_of(chosen);
  }
  return least;
}

// Checks networks: what is found connects; something is found if anything connects; and if weights
// are 0 or 1 and the lightest set has one arc of weight 1 at most, it is as light.
void test_against_all_sets() {
  Random random(3);
  int n_found = 0;
  int n_with_colliders = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = 3 + random.below(3);
    std::vector<WeightedArc> arcs;
    for (std::size_t head = 1; head < n; ++head) {
      for (std::size_t tail = 0; tail < head; ++tail) {
        if (random.below(2) > 0) continue;
        arcs.push_back({static_cast<std::int32_t>(tail), static_cast<std::int32_t>(head),
                        static_cast<double>(random.below(2))});
      }
    }
    const auto x = static_cast<std::int32_t>(random.below(n));
    const auto y = static_cast<std::int32_t>((static_cast<std::size_t>(x) + 1) % n);
    std::vector<std::int32_t> z;
    for (std::size_t v = 0; v < n; ++v) {
      const auto variable = static_cast<std::int32_t>(v);
      if (variable != x && variable != y && random.below(2) > 0) z.push_back(variable);
    }
    const double least = least_weight(n, arcs, x, y, z);
    const std::vector<std::int32_t> starts{x};
    const std::vector<std::int32_t> ends{y};
    const auto trail =
        lightest_active_trail(n, arcs, starts, ends, z, std::numeric_limits<double>::infinity());
    CHECK(trail.empty() == std::isinf(least));
    if (trail.empty()) continue;
    ++n_found;
    std::vector<WeightedArc> chosen;
    for (const std::int32_t at : trail) chosen.push_back(arcs[static_cast<std::size_t>(at)]);
    CHECK(is_connected(n, chosen, x, y, z));
    CHECK(!is_connected(n, chosen, x, y, {}) || !z.empty() || weight_of(chosen) >= least);
    if (!is_connected(n, chosen, x, y, {})) ++n_with_colliders;
    if (least == 0) CHECK(weight_of(chosen) == 0);
    const auto lighter = lightest_active_trail(n, arcs, starts, ends, z, least);
    CHECK(lighter.empty());
  }
  CHECK(n_found > 100);
  CHECK(n_with_colliders > 10);
}

}  // namespace

int main() { test_against_all_sets(); }
