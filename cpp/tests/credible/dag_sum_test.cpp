#include "credenet/credible/dag_sum.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"

using credenet::FamilyLists;
using credenet::log_sum_of_dags;
using credenet::NoControl;
using credenet::Random;

namespace {

// By adding up all networks, the largest first taken out.
double slow_log_sum(const FamilyLists& lists) {
  std::vector<double> scores;
  for_each_network(lists,
                   [&](const std::vector<double>& x) { scores.push_back(score_of_use(lists, x)); });
  if (scores.empty()) return -std::numeric_limits<double>::infinity();
  const double largest = std::ranges::max(scores);
  long double sum = 0;
  for (const double score : scores) sum += std::exp(static_cast<long double>(score - largest));
  return largest + static_cast<double>(std::log(sum));
}

void check_random(Random& random, bool with_empty, double scale) {
  const std::size_t n = 1 + random.below(5);
  const RandomLists drawn(random, n, 7, 4, with_empty);
  const FamilyLists view = drawn.view();
  std::vector<double> scores(view.scores.begin(), view.scores.end());
  for (double& score : scores) score *= scale;
  const FamilyLists lists{view.starts, scores, view.offsets, view.parents};
  NoControl control;
  const double expected = slow_log_sum(lists);
  const double found = log_sum_of_dags(lists, 1, control);
  if (std::isinf(expected)) {
    CHECK(found == expected);
  } else {
    CHECK(std::abs(found - expected) <= 1e-11 * (1 + std::abs(expected)));
  }
  CHECK(log_sum_of_dags(lists, 3, control) == found || std::isinf(expected));
}

// With all scores 0 it is the number of DAGs (Robinson 1973), where most of the sum cancels.
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
    const AllFamilies all(n);
    const FamilyLists view = all.view();
    const std::vector<double> zeros(view.scores.size(), 0.0);
    const FamilyLists lists{view.starts, zeros, view.offsets, view.parents};
    CHECK(std::abs(log_sum_of_dags(lists, 2, control) - std::log(counts[n - 1])) < 1e-13 * 45);
  }
}

void check_stop() {
  const AllFamilies all(9);
  StopAt control(5);
  CHECK(std::isnan(log_sum_of_dags(all.view(), 1, control)));
}

}  // namespace

int main() {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    check_random(random, trial % 3 != 0, trial % 2 == 0 ? 1.0 : 400.0);
  }
  check_counts();
  check_stop();
}
