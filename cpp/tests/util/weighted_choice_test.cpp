#include "credenet/util/weighted_choice.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"

using credenet::Random;
using credenet::weighted_choice;

int main() {
  Random random(3);
  constexpr int kDraws = 20000;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> weights(1 + random.below(6));
    for (double& weight : weights) weight = random.below(3) == 0 ? 0.0 : random.uniform();
    weights[random.below(weights.size())] = 1;
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<int> drawn(weights.size(), 0);
    for (int draw = 0; draw < kDraws; ++draw) ++drawn[weighted_choice(weights, total, random)];
    for (std::size_t at = 0; at < weights.size(); ++at) {
      const double share = weights[at] / total;
      CHECK(weights[at] > 0 || drawn[at] == 0);
      CHECK(std::abs(drawn[at] - kDraws * share) <=
            5 * std::sqrt(kDraws * share * (1 - share)) + 1e-9);
    }
  }
  // A total that rounding made too large does not lead past the end, nor to a weight of 0.
  const std::vector<double> weights{0.25, 0.25, 0.0};
  for (int draw = 0; draw < 100; ++draw) CHECK(weighted_choice(weights, 1.0, random) < 2);
}
