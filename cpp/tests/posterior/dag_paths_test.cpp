#include "credenet/posterior/dag_paths.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "credenet/posterior/dag_sampler.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"

using credenet::bit_of;
using credenet::dag_sums;
using credenet::DagSampler;
using credenet::FamilyLists;
using credenet::NoControl;
using credenet::Random;
using credenet::WeightTable;

namespace {

struct Network {
  double score = 0;
  std::vector<std::int64_t> families;    // Family of each variable.
  std::vector<std::uint32_t> ancestors;  // Ancestors of each variable as bits.
};

std::vector<Network> all_networks(const FamilyLists& lists) {
  const std::size_t n = lists.n_variables();
  std::vector<Network> found;
  for_each_network(lists, [&](const std::vector<double>& use) {
    Network network{score_of_use(lists, use), std::vector<std::int64_t>(n),
                    std::vector<std::uint32_t>(n, 0)};
    for (std::size_t variable = 0; variable < n; ++variable) {
      for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
        if (use[family] == 0) continue;
        network.families[variable] = static_cast<std::int64_t>(family);
        for (const std::int32_t parent : lists.parents_of(family)) {
          network.ancestors[variable] |= bit_of(static_cast<std::size_t>(parent));
        }
      }
    }
    for (std::size_t round = 0; round < n; ++round) {
      for (std::size_t variable = 0; variable < n; ++variable) {
        for (std::size_t other = 0; other < n; ++other) {
          if ((network.ancestors[variable] & bit_of(other)) != 0) {
            network.ancestors[variable] |= network.ancestors[other];
          }
        }
      }
    }
    found.push_back(network);
  });
  return found;
}

void check_paths(Random& random, bool with_empty, double scale) {
  const std::size_t n = 1 + random.below(5);
  const RandomLists drawn(random, n, 7, 4, with_empty);
  const FamilyLists view = drawn.view();
  std::vector<double> scores(view.scores.begin(), view.scores.end());
  for (double& score : scores) score *= scale;
  const FamilyLists lists{view.starts, scores, view.offsets, view.parents};
  NoControl control;
  const auto sums = dag_sums(WeightTable(lists), true, 1, control);
  if (std::isinf(sums->log_sum)) return;
  std::vector<double> expected(n * n, 0.0);
  for (const Network& network : all_networks(lists)) {
    for (std::size_t at = 0; at < n * n; ++at) {
      if ((network.ancestors[at % n] & bit_of(at / n)) != 0) {
        expected[at] += std::exp(network.score - sums->log_sum);
      }
    }
  }
  const std::vector<double> found = path_probabilities(*sums, 2, control);
  for (std::size_t at = 0; at < n * n; ++at) CHECK(std::abs(found[at] - expected[at]) < 1e-10);
}

// Checks the frequencies of all networks among many drawn, by the chi-square statistic.
void check_draws(Random& random, double scale, bool with_exponents) {
  const std::size_t n = 3 + random.below(2);
  const RandomLists drawn(random, n, 5, 3, true);
  const FamilyLists view = drawn.view();
  std::vector<double> scores(view.scores.begin(), view.scores.end());
  for (double& score : scores) score *= scale;
  for (std::size_t family = view.begin(0); with_exponents && family < view.end(0); ++family) {
    // The score is beyond the range of doubles.
    if (view.parents_of(family).empty()) scores[family] -= 3000;
  }
  const FamilyLists lists{view.starts, scores, view.offsets, view.parents};
  NoControl control;
  const auto sums = dag_sums(WeightTable(lists), false, 1, control);
  const bool has_choice = view.end(0) - view.begin(0) > 1;
  CHECK(sums->forward.exponents.empty() == !(with_exponents && has_choice));
  const std::vector<Network> networks = all_networks(lists);
  constexpr int kDraws = 20000;
  std::vector<int> counts(networks.size(), 0);
  DagSampler sampler(*sums, lists);
  std::vector<std::int64_t> families(n);
  for (int draw = 0; draw < kDraws; ++draw) {
    sampler.draw(random, families);
    const auto at = std::ranges::find(networks, families, &Network::families);
    CHECK(at != networks.end());
    ++counts[static_cast<std::size_t>(at - networks.begin())];
  }
  double statistic = 0;
  double rare = 0;  // Networks that are expected fewer than 5 times each, all together.
  int n_rare = 0;
  double degrees = -1;
  for (std::size_t at = 0; at < networks.size(); ++at) {
    const double expected = kDraws * std::exp(networks[at].score - sums->log_sum);
    if (expected < 5) {
      rare += expected;
      n_rare += counts[at];
      continue;
    }
    statistic += (counts[at] - expected) * (counts[at] - expected) / expected;
    ++degrees;
  }
  if (rare >= 5) {
    statistic += (n_rare - rare) * (n_rare - rare) / rare;
    ++degrees;
  }
  // The tolerance is six standard deviations.
  CHECK(statistic < degrees + 6 * std::sqrt(2 * std::max(degrees, 1.0)) + 6);
}

// Checks sums over orders: each network counts as often as it has orders.
void check_orders(Random& random, double scale) {
  const std::size_t n = 1 + random.below(5);
  const RandomLists drawn(random, n, 7, 4, true);
  const FamilyLists view = drawn.view();
  std::vector<double> scores(view.scores.begin(), view.scores.end());
  for (double& score : scores) score *= scale;
  const FamilyLists lists{view.starts, scores, view.offsets, view.parents};
  NoControl control;
  const auto sums = credenet::order_sums(WeightTable(lists), true, 1, control);
  std::vector<double> expected(scores.size(), 0.0);
  double sum = 0;
  for (const Network& network : all_networks(lists)) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    int n_orders = 0;
    do {
      std::uint32_t placed = 0;
      bool fits = true;
      for (const std::size_t variable : order) {
        fits = fits && (network.ancestors[variable] & ~placed) == 0;
        placed |= bit_of(variable);
      }
      n_orders += fits ? 1 : 0;
    } while (std::ranges::next_permutation(order).found);
    const double share = n_orders * std::exp(network.score - sums->log_sum);
    sum += share;
    for (const std::int64_t family : network.families) {
      expected[static_cast<std::size_t>(family)] += share;
    }
  }
  CHECK(std::abs(sum - 1) < 1e-10);
  for (std::size_t variable = 0; variable < n; ++variable) {
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      std::uint32_t set = 0;
      for (const std::int32_t parent : lists.parents_of(family)) {
        set |= bit_of(static_cast<std::size_t>(parent));
      }
      const double found =
          sums->family_probabilities[(variable << (n - 1)) + credenet::without(set, variable)];
      CHECK(std::abs(found - expected[family]) < 1e-10);
    }
  }
  constexpr int kDraws = 4000;
  std::vector<double> counts(scores.size(), 0.0);
  DagSampler sampler(*sums, lists);
  std::vector<std::int64_t> families(n);
  for (int draw = 0; draw < kDraws; ++draw) {
    sampler.draw(random, families);
    for (const std::int64_t family : families) counts[static_cast<std::size_t>(family)] += 1;
  }
  for (std::size_t family = 0; family < counts.size(); ++family) {
    const double other = std::max(1 - expected[family], 0.0);
    const double deviation = std::sqrt(kDraws * expected[family] * other);
    CHECK(std::abs(counts[family] - kDraws * expected[family]) <= 6 * deviation + 1);
  }
}

void check_stop() {
  WeightTable weights(10);
  for (std::size_t variable = 0; variable < 10; ++variable) {
    std::ranges::fill(weights.of(variable), 0.0);
  }
  NoControl never;
  const auto sums = dag_sums(weights, true, 1, never);
  StopAt control(2);
  CHECK(path_probabilities(*sums, 1, control).empty());
}

}  // namespace

int main() {
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    check_paths(random, trial % 3 != 0, trial % 2 == 0 ? 1.0 : 400.0);
  }
  for (int trial = 0; trial < 30; ++trial)
    check_draws(random, trial % 2 == 0 ? 0.3 : 1.0, trial % 3 == 0);
  for (int trial = 0; trial < 60; ++trial) check_orders(random, trial % 2 == 0 ? 0.5 : 30.0);
  check_stop();
}
