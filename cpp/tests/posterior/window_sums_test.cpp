#include "credenet/posterior/window_sums.hpp"

#include <cmath>
#include <numbers>
#include <type_traits>
#include <vector>

#include "check.hpp"
#include "credenet/posterior/dag_sums.hpp"
#include "posterior/posterior_of_lists.hpp"

using namespace credenet;

namespace {

template <typename Number>
Number number_of(double log_weight) {
  if constexpr (std::is_same_v<Number, Plain>) {
    return {std::exp(log_weight)};
  } else {
    const double bits = log_weight / std::numbers::ln2;
    return {std::exp2(bits - std::floor(bits)), static_cast<std::int32_t>(std::floor(bits))};
  }
}

double log_of(const Plain& number) { return std::log(number.value); }
double log_of(const Scaled& number) { return number.log2() * std::numbers::ln2; }

template <typename Number>
void fill(WindowSums<Number>& sums, const WeightTable& weights) {
  sums.start(weights.n_variables());
  for (std::size_t v = 0; v < weights.n_variables(); ++v) {
    for (std::size_t place = 0; place < weights.n_sets(); ++place) {
      if (std::isfinite(weights.of(v)[place])) {
        sums.weight(v, with_gap(place, v)) = number_of<Number>(weights.of(v)[place]);
      }
    }
  }
  sums.sum();
}

// Checks that the sum over all DAGs is that of DagSums.
template <typename Number>
void check_sum(Random& random, std::size_t n, double spread) {
  WeightTable weights(n);
  for (std::size_t v = 0; v < n; ++v) {
    for (double& weight : weights.of(v)) {
      if (random.below(3) != 0) weight = -spread * random.uniform();
    }
    weights.of(v)[0] = -spread * random.uniform();
  }
  NoControl control;
  const double expected = dag_sums(weights, false, 1, control)->log_sum;
  WindowSums<Number> sums;
  fill(sums, weights);
  const double found = log_of(sums.forward(bit_of(n) - 1));
  CHECK(std::abs(found - expected) < 1e-11 * (1 + std::abs(expected)));
}

// Checks that each DAG is drawn as often as its weight says.
template <typename Number>
void check_draws(Random& random, double scale) {
  const std::size_t n = 2 + random.below(3);
  const MildLists drawn(random, n, 7, random.below(3) != 0, scale);
  const FamilyLists lists = drawn.view();
  const SlowPosterior slow(lists);
  if (slow.networks.empty()) return;
  WindowSums<Number> sums;
  fill(sums, WeightTable(lists));
  constexpr int kDraws = 4000;
  std::vector<double> counts(slow.networks.size());
  for (int k = 0; k < kDraws; ++k) {
    Network network(n);
    sums.draw(random, [&](std::size_t v, std::uint32_t parents) {
      for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
        if (parent_bits(lists, family) == parents) network[v] = static_cast<std::int64_t>(family);
      }
    });
    const std::size_t place = slow.place(network);
    CHECK(place < counts.size() && slow.networks[place] == network);
    ++counts[place];
  }
  for (std::size_t at = 0; at < counts.size(); ++at) {
    const double share = slow.probabilities[at];
    CHECK(std::abs(counts[at] - kDraws * share) < 6 * std::sqrt(kDraws * share * (1 - share)) + 3);
  }
}

}  // namespace

int main() {
  Random random(3);
  for (std::size_t n = 1; n <= 12; ++n) {
    check_sum<Plain>(random, n, 8);
    check_sum<Scaled>(random, n, 8);
    check_sum<Scaled>(random, n, 3000);
  }
  for (int k = 0; k < 30; ++k) {
    check_draws<Plain>(random, 0.15);
    check_draws<Scaled>(random, k % 2 == 0 ? 0.15 : 30);
  }
  return 0;
}
