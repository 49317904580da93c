#include "credenet/posterior/dag_sums.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"

using credenet::dag_sums;
using credenet::DagSums;
using credenet::FamilyLists;
using credenet::NoControl;
using credenet::Random;
using credenet::WeightTable;

namespace {

// The log of the sum, and the probabilities of the families, by adding up all networks.
struct Slow {
  explicit Slow(const FamilyLists& lists) : probabilities(lists.scores.size(), 0.0) {
    std::vector<double> scores;
    std::vector<std::vector<double>> uses;
    for_each_network(lists, [&](const std::vector<double>& use) {
      scores.push_back(score_of_use(lists, use));
      uses.push_back(use);
    });
    if (scores.empty()) return;
    const double largest = std::ranges::max(scores);
    long double sum = 0;
    for (const double score : scores) sum += std::exp(static_cast<long double>(score - largest));
    log_sum = largest + static_cast<double>(std::log(sum));
    for (std::size_t at = 0; at < scores.size(); ++at) {
      const double share = std::exp(scores[at] - log_sum);
      for (std::size_t family = 0; family < probabilities.size(); ++family) {
        probabilities[family] += share * uses[at][family];
      }
    }
  }

  double log_sum = -std::numeric_limits<double>::infinity();
  std::vector<double> probabilities;
};

double probability(const DagSums& sums, const FamilyLists& lists, std::size_t variable,
                   std::size_t family) {
  std::uint32_t set = 0;
  for (const std::int32_t parent : lists.parents_of(family)) {
    set |= credenet::bit_of(static_cast<std::size_t>(parent));
  }
  const std::size_t n = sums.n_variables;
  return sums.family_probabilities[(variable << (n - 1)) + credenet::without(set, variable)];
}

void check_random(Random& random, bool with_empty, double scale) {
  const std::size_t n = 1 + random.below(5);
  const RandomLists drawn(random, n, 7, 4, with_empty);
  const FamilyLists view = drawn.view();
  std::vector<double> scores(view.scores.begin(), view.scores.end());
  for (double& score : scores) score *= scale;
  const FamilyLists lists{view.starts, scores, view.offsets, view.parents};
  const Slow expected(lists);
  NoControl control;
  const auto found = dag_sums(WeightTable(lists), true, 1, control);
  if (std::isinf(expected.log_sum)) {
    CHECK(found->log_sum == expected.log_sum);
    return;
  }
  CHECK(std::abs(found->log_sum - expected.log_sum) <= 1e-11 * (1 + std::abs(expected.log_sum)));
  for (std::size_t variable = 0; variable < n; ++variable) {
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      const double share = probability(*found, lists, variable, family);
      CHECK(std::abs(share - expected.probabilities[family]) <= 1e-10);
    }
  }
  const auto again = dag_sums(WeightTable(lists), true, 3, control);
  CHECK(again->log_sum == found->log_sum);
  CHECK(again->family_probabilities == found->family_probabilities);
}

// Checks that with all scores 0 the sum is the number of DAGs (Robinson 1973), where most of the
// sum cancels.
void check_counts() {
  const std::vector<double> counts{1,
                                   3,
                                   25,
                                   543,
                                   29281,
                                   3781503,
                                   1138779265,
                                   783702329343,
                                   1213442454842881,
                                   4175098976430598143.0};
  NoControl control;
  for (std::size_t n = 1; n <= counts.size(); ++n) {
    WeightTable weights(n);
    for (std::size_t variable = 0; variable < n; ++variable) {
      std::ranges::fill(weights.of(variable), 0.0);
    }
    const auto found = dag_sums(weights, true, 2, control);
    CHECK(std::abs(found->log_sum - std::log(counts[n - 1])) < 1e-13 * 45);
  }
}

// Checks two ways of summing: with exponents and without.
void check_ways(Random& random, std::size_t n) {
  WeightTable narrow(n);
  WeightTable wide(n);
  for (std::size_t variable = 0; variable < n; ++variable) {
    for (std::size_t set = 0; set < narrow.n_sets(); ++set) {
      const double weight = -8 * random.uniform();
      narrow.of(variable)[set] = weight;
      wide.of(variable)[set] = weight;
    }
    // This family is noticed by no sum, but makes the range too large for doubles alone.
    if (variable > 0) continue;
    narrow.of(0)[0] = wide.of(0)[0] = -500;
    wide.of(0)[0] = -5000;
  }
  NoControl control;
  const auto one = dag_sums(narrow, true, 2, control);
  const auto other = dag_sums(wide, true, 2, control);
  CHECK(one->forward.exponents.empty());
  CHECK(!other->forward.exponents.empty());
  CHECK(std::abs(one->log_sum - other->log_sum) < 1e-11);
  double largest = 0;
  for (std::size_t at = 0; at < one->family_probabilities.size(); ++at) {
    largest = std::max(largest,
                       std::abs(one->family_probabilities[at] - other->family_probabilities[at]));
  }
  CHECK(largest < 1e-11);
  for (std::size_t variable = 0; variable < n; ++variable) {
    double sum = 0;
    for (std::size_t set = 0; set < narrow.n_sets(); ++set) {
      sum += one->family_probabilities[(variable << (n - 1)) + set];
    }
    CHECK(std::abs(sum - 1) < 1e-11);
  }
}

void check_stop() {
  WeightTable weights(9);
  for (std::size_t variable = 0; variable < 9; ++variable) {
    std::ranges::fill(weights.of(variable), 0.0);
  }
  StopAt control(5);
  CHECK(dag_sums(weights, true, 1, control) == nullptr);
}

}  // namespace

int main() {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    check_random(random, trial % 3 != 0, trial % 2 == 0 ? 1.0 : 400.0);
  }
  check_counts();
  for (std::size_t n = 7; n <= 14; ++n) check_ways(random, n);
  check_stop();
}
