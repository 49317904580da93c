#include "credenet/treewidth/root_clique.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "stop_at.hpp"
#include "treewidth/k_tree_checks.hpp"

using credenet::best_root_clique;
using credenet::NoControl;
using credenet::PairWeights;
using credenet::Random;

namespace {

using Members = std::vector<std::int32_t>;

double sum_of(const PairWeights& weights, const Members& members) {
  double sum = 0;
  for (const std::int32_t a : members) {
    for (const std::int32_t b : members) sum += a < b ? weights(a, b) : 0;
  }
  return sum;
}

void check_set(const Members& members, std::size_t n, std::size_t size) {
  CHECK(members.size() == size);
  CHECK(std::ranges::adjacent_find(members, std::ranges::greater_equal()) == members.end());
  CHECK(members.front() >= 0 && members.back() < static_cast<std::int32_t>(n));
}

void test_few_sets_are_enumerated() {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 1 + random.below(10);
    const std::size_t size = 1 + random.below(n);
    const std::vector<double> values = draw_weights(n, random);
    const PairWeights weights{values, n};
    double best = -1;
    for (std::size_t set = 0; set < std::size_t{1} << n; ++set) {
      if (static_cast<std::size_t>(std::popcount(set)) != size) continue;
      Members members;
      for (std::size_t v = 0; v < n; ++v) {
        if ((set >> v & 1) != 0) members.push_back(static_cast<std::int32_t>(v));
      }
      best = std::max(best, sum_of(weights, members));
    }
    NoControl control;
    const Members found = best_root_clique(weights, size, control);
    check_set(found, n, size);
    CHECK(std::abs(sum_of(weights, found) - best) < 1e-9);
  }
}

// Checks that no exchange of one member improves the set.
void test_many_sets_are_climbed() {
  Random random(2);
  const std::size_t n = 60;
  const std::size_t size = 6;
  const std::vector<double> values = draw_weights(n, random);
  const PairWeights weights{values, n};
  NoControl control;
  const Members found = best_root_clique(weights, size, control);
  check_set(found, n, size);
  for (std::size_t at = 0; at < size; ++at) {
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(n); ++v) {
      Members other = found;
      other[at] = v;
      if (std::ranges::find(found, v) != found.end()) continue;
      std::ranges::sort(other);
      CHECK(sum_of(weights, other) <= sum_of(weights, found) + 1e-9);
    }
  }
  StopAt stop(1);
  check_set(best_root_clique(weights, size, stop), n, size);
}

}  // namespace

int main() {
  test_few_sets_are_enumerated();
  test_many_sets_are_climbed();
}
