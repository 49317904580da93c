#include "credenet/inference/approximate/cluster_plan.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "inference/random_query.hpp"
#include "stop_at.hpp"

using credenet::ApproximateAnswer;
using credenet::ClusterPlan;
using credenet::NoControl;
using credenet::Random;
using credenet::Status;
using credenet::WeightedRows;

namespace {

// The log of the sum over all joint states, and the probability of each state of every variable.
struct Posterior {
  double log_value = -INFINITY;
  std::vector<double> probabilities;

  explicit Posterior(const Case& query) : probabilities(query.begin.back(), 0.0) {
    double sum = 0;
    std::vector<std::int32_t> row(query.size(), 0);
    do {
      const double weight = std::exp(query.log_weight(row));
      sum += weight;
      for (std::size_t variable = 0; variable < query.size(); ++variable) {
        probabilities[query.begin[variable] + static_cast<std::size_t>(row[variable])] += weight;
      }
    } while (next_row(query.factors.n_states, row));
    if (sum == 0) return;
    log_value = std::log(sum);
    for (double& value : probabilities) value /= sum;
  }
};

ClusterPlan plan_of(const Case& query, std::size_t i_bound, double largest_cells = 0) {
  return {query.factors.view(),
          {query.directed, query.observed, query.weighted, query.states, query.likelihoods},
          i_bound,
          largest_cells,
          1};
}

// Checks that estimates are within some standard errors, for the variables whose states are not
// known.
void check_estimate(const Case& query, const ApproximateAnswer& answer, const Posterior& expected) {
  for (const std::int32_t variable : query.free()) {
    const auto first = static_cast<std::size_t>(variable);
    for (std::size_t at = query.begin[first]; at < query.begin[first + 1]; ++at) {
      CHECK(std::abs(answer.probabilities[at] - expected.probabilities[at]) <=
            6 * answer.standard_errors[at] + 1e-9);
    }
  }
}

void check_rows(const Case& query, const ClusterPlan& plan) {
  NoControl control;
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> n_drawn;
  CHECK(plan.draw_rows({20, 10, 2, 1}, 3, 1, control, rows, n_drawn).status == Status::kComplete);
  CHECK(rows.size() == 20 * query.size());
  CHECK((n_drawn == std::vector<std::int64_t>{10, 10}));
  for (std::size_t draw = 0; draw < 20; ++draw) {
    std::vector<std::int32_t> row;
    for (std::size_t variable = 0; variable < query.size(); ++variable) {
      row.push_back(rows[variable * 20 + draw]);
    }
    CHECK(std::isfinite(query.log_weight(row)));
  }
}

// Checks rows with weights: their weighted shares are the probabilities that the answer tells, and
// drawing ends soon after the effective sample size is reached.
void check_weighted_rows(const Case& query, const ClusterPlan& plan, const Posterior& expected) {
  NoControl control;
  WeightedRows rows;
  const ApproximateAnswer answer =
      plan.weighted_rows(500, 100000, {0, 10, 1e-3}, 5, 1, control, rows);
  CHECK(answer.status == Status::kComplete);
  CHECK(answer.effective_sample_size >= 500);
  CHECK(rows.log_weights.size() <= answer.n_samples && answer.n_samples <= 100000);
  CHECK(rows.states.size() == rows.log_weights.size() * query.size());
  check_estimate(query, answer, expected);
  std::vector<double> shares(answer.probabilities.size(), 0.0);
  const double largest = *std::max_element(rows.log_weights.begin(), rows.log_weights.end());
  double total = 0;
  for (std::size_t row = 0; row < rows.log_weights.size(); ++row) {
    const double weight = std::exp(rows.log_weights[row] - largest);
    total += weight;
    std::vector<std::int32_t> states(
        rows.states.begin() + static_cast<std::ptrdiff_t>(row * query.size()),
        rows.states.begin() + static_cast<std::ptrdiff_t>((row + 1) * query.size()));
    CHECK(std::isfinite(query.log_weight(states)));
    for (std::size_t variable = 0; variable < query.size(); ++variable) {
      shares[query.begin[variable] + static_cast<std::size_t>(states[variable])] += weight;
    }
  }
  for (std::size_t at = 0; at < shares.size(); ++at) {
    CHECK(std::abs(shares[at] / total - answer.probabilities[at]) < 1e-9);
  }
  WeightedRows same;
  static_cast<void>(plan.weighted_rows(500, 100000, {0, 10, 1e-3}, 5, 3, control, same));
  CHECK(same.states == rows.states && same.log_weights == rows.log_weights);
}

// Checks a join graph of a large bound, which is a tree, so messages are exact.
void check_propagation(const Case& query, const Posterior& expected) {
  NoControl control;
  const ClusterPlan plan = plan_of(query, 20);
  CHECK(plan.i_bound() <= 20);
  CHECK(plan.cells() >= 1 && plan.bytes() > 0);
  CHECK(plan_of(query, 20, 1e9).cells() <= plan.cells());
  const ApproximateAnswer answer =
      plan.is_possible() ? plan.propagate({0, 200, 1e-12}, control) : ApproximateAnswer{};
  if (std::isinf(expected.log_value)) {
    CHECK(!plan.is_possible() || answer.status == Status::kInfeasible);
    return;
  }
  CHECK(plan.is_possible() && answer.status == Status::kComplete);
  CHECK(std::abs(answer.log_value - expected.log_value) < 1e-8);
  for (std::size_t at = 0; at < expected.probabilities.size(); ++at) {
    CHECK(std::abs(answer.probabilities[at] - expected.probabilities[at]) < 1e-8);
  }
  StopAt stop(1);
  CHECK(query.free().empty() || plan.propagate({0, 200, 1e-12}, stop).status == Status::kStopped);
}

}  // namespace

int main() {
  Random random(8);
  NoControl control;
  int n_possible = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Factors factors =
        trial % 2 == 0 ? Factors(SmallNetwork(6, 3, random)) : Factors(6, 7, 2.0, random);
    const Case query(factors, trial % 2 == 0, random);
    const Posterior expected(query);
    check_propagation(query, expected);
    if (std::isinf(expected.log_value)) continue;
    ++n_possible;
    const ClusterPlan plan = plan_of(query, 2);
    const ApproximateAnswer sampled = plan.importance_sampling(4000, {0, 10, 1e-3}, 5, 1, control);
    CHECK(sampled.status == Status::kComplete && sampled.n_samples > 0);
    CHECK(std::abs(sampled.log_value - expected.log_value) < 6 * sampled.log_value_error + 1e-9);
    check_estimate(query, sampled, expected);
    const ApproximateAnswer same = plan.importance_sampling(4000, {0, 10, 1e-3}, 5, 3, control);
    CHECK(same.probabilities == sampled.probabilities);
    check_rows(query, plan);
    check_weighted_rows(query, plan, expected);
    const ApproximateAnswer chains = plan.gibbs_sampling({4000, 200, 4, 1}, 7, 1, control);
    CHECK(chains.status == Status::kComplete && chains.n_samples == 4000 &&
          chains.n_abandoned == 0);
    for (std::size_t variable = 0; variable < query.size(); ++variable) {
      if (!query.observed[variable]) continue;
      const auto state = static_cast<std::size_t>(query.states[variable]);
      CHECK(chains.probabilities[query.begin[variable] + state] == 1);
    }
    if (!query.directed) continue;
    const ApproximateAnswer weighed = plan.likelihood_weighting(20000, 6, 1, control);
    if (weighed.effective_sample_size < 500) continue;
    CHECK(std::abs(weighed.log_value - expected.log_value) < 6 * weighed.log_value_error + 1e-9);
    check_estimate(query, weighed, expected);
  }
  CHECK(n_possible >= 20);
}
