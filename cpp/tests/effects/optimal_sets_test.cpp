#include "credenet/effects/optimal_sets.hpp"

#include <array>
#include <vector>

#include "check.hpp"
#include "stop_at.hpp"

using namespace credenet;

namespace {

using Edge = std::array<std::size_t, 2>;

// The parents of each variable as bits.
std::vector<std::uint64_t> parent_bits(std::size_t n, const std::vector<Edge>& edges) {
  const std::size_t n_words = (n + 63) / 64;
  std::vector<std::uint64_t> bits(n * n_words);
  for (const auto& [parent, child] : edges) {
    bits[child * n_words + parent / 64] |= std::uint64_t{1} << (parent % 64);
  }
  return bits;
}

// Checks z -> x -> m -> y <- z; m <- w -> v -> y. In the second network x has no path to y.
void test_two_networks() {
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {4, 2}, {4, 5}, {5, 3}};
  std::vector<std::uint64_t> bits = parent_bits(6, edges);
  const std::vector<std::uint64_t> others = parent_bits(6, {{0, 1}, {3, 2}});
  bits.insert(bits.end(), others.begin(), others.end());
  const std::vector<std::int32_t> x{1, 4};
  const std::vector<double> weights{0.75, 0.25};
  for (const unsigned n_threads : {1U, 3U}) {
    OptimalSetSums sums(6, x);
    NoControl control;
    CHECK(sums.add(bits, weights, n_threads, control));
    CHECK(sums.add(std::span(bits).first(6), std::span(weights).last(1), n_threads, control));
    const auto found = sums.sums();
    // The set of x on m is w, that of x on y is z, w and v; those of w on m, y and v are empty, z
    // and empty. For w on m, x is a parent of m, and no descendant of w.
    const std::vector<std::int32_t> pairs{2, 3, 6 + 2, 6 + 3, 6 + 5};
    CHECK(found.pair == pairs);
    for (const double weight : found.weights) CHECK(weight == 1.0);
    const std::vector<std::int64_t> begins{0, 1, 4, 5, 7, 7};
    const std::vector<std::int32_t> members{4, 0, 4, 5, 1, 0, 1};
    CHECK(found.member_begins == begins);
    CHECK(found.members == members);
  }
}

// Checks a path through 70 variables, each of which has one more parent.
void test_many_variables() {
  std::vector<Edge> edges;
  for (std::size_t at = 0; at + 1 < 70; ++at) {
    edges.push_back({at, at + 1});
    edges.push_back({70 + at + 1, at + 1});
  }
  const std::vector<std::uint64_t> bits = parent_bits(140, edges);
  const std::vector<std::int32_t> x{0};
  const std::vector<double> weights{1.0};
  OptimalSetSums sums(140, x);
  NoControl control;
  CHECK(sums.add(bits, weights, 1, control));
  const auto found = sums.sums();
  CHECK(found.pair.size() == 69);
  CHECK(found.members.size() == 69 * 70 / 2);
  CHECK(found.members.back() == 139);
}

void test_stops() {
  const std::vector<std::uint64_t> bits = parent_bits(2, {{0, 1}});
  const std::vector<std::int32_t> x{0};
  const std::vector<double> weights{1.0};
  OptimalSetSums sums(2, x);
  StopAt stop(1);
  CHECK(!sums.add(bits, weights, 1, stop));
}

}  // namespace

int main() {
  test_two_networks();
  test_many_variables();
  test_stops();
}
