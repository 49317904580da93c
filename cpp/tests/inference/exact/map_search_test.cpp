#include "credenet/inference/exact/map_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "check.hpp"
#include "inference/random_query.hpp"
#include "stop_at.hpp"

using credenet::CliqueTree;
using credenet::Evidence;
using credenet::MapResult;
using credenet::NoControl;
using credenet::PropagationLayout;
using credenet::QueryShape;
using credenet::Random;
using credenet::Status;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The log of the sum of the product, by the states of the maximised variables.
std::map<std::vector<std::int32_t>, double> log_sums(const Case& query,
                                                     const std::vector<std::uint8_t>& maximised) {
  std::map<std::vector<std::int32_t>, std::vector<double>> terms;
  std::vector<std::int32_t> row(query.size(), 0);
  do {
    const double weight = query.log_weight(row);
    std::vector<std::int32_t> key;
    for (std::size_t variable = 0; variable < row.size(); ++variable) {
      if (maximised[variable]) key.push_back(row[variable]);
    }
    if (weight > -INFINITY) terms[key].push_back(weight);
  } while (next_row(query.factors.n_states, row));
  std::map<std::vector<std::int32_t>, double> sums;
  for (const auto& [key, logs] : terms) {
    const double largest = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (const double value : logs) sum += std::exp(value - largest);
    sums[key] = largest + std::log(sum);
  }
  return sums;
}

void check(Case query, Random& random, std::size_t& n_searches) {
  std::vector<std::uint8_t> maximised;
  for (std::size_t variable = 0; variable < query.size(); ++variable) {
    maximised.push_back(!query.observed[variable] && random.below(2) == 0 ? 1 : 0);
    if (!maximised[variable] || query.weighted[variable]) continue;
    query.weighted[variable] = 1;
    std::fill(query.likelihoods.begin() + static_cast<std::ptrdiff_t>(query.begin[variable]),
              query.likelihoods.begin() + static_cast<std::ptrdiff_t>(query.begin[variable + 1]),
              1.0);
  }
  const auto truth = log_sums(query, maximised);
  double largest = -INFINITY;
  for (const auto& [key, value] : truth) largest = std::max(largest, value);
  std::vector<std::int32_t> targets;
  for (const std::int32_t variable : query.free()) {
    if (maximised[static_cast<std::size_t>(variable)]) targets.push_back(variable);
  }
  QueryShape shape{query.observed, query.weighted, targets, false, query.directed, true};
  shape.maximised = maximised;
  NoControl no_control;
  const Evidence evidence{query.states, query.likelihoods};
  for (const double log2_most : {-kInfinity, 2.0, 4.0, kInfinity}) {
    CliqueTree tree =
        credenet::clique_tree(query.factors.view(), shape, {}, 1, no_control, log2_most);
    const PropagationLayout layout(query.factors.view(), shape, std::move(tree));
    const MapResult found = map_search(query.factors.view(), layout, evidence, 1, no_control);
    CHECK(found.status == (found.has_states() ? Status::kOptimal : Status::kInfeasible));
    if (log2_most == kInfinity) CHECK(found.n_nodes == 0);
    if (found.n_nodes > 0) ++n_searches;
    CHECK(found.has_states() == (largest > -INFINITY));
    if (!found.has_states()) continue;
    CHECK(near(found.log_value, largest));
    CHECK(found.log_bound == found.log_value);
    std::vector<std::int32_t> key;
    for (std::size_t variable = 0; variable < query.size(); ++variable) {
      if (maximised[variable]) key.push_back(found.states[variable]);
      if (query.observed[variable]) CHECK(found.states[variable] == query.states[variable]);
    }
    CHECK(near(truth.at(key), largest));

    // A stopped search has a bound, and perhaps an answer.
    for (const int n_polls : {1, 5, 20, 60}) {
      StopAt stop(n_polls);
      const MapResult part = map_search(query.factors.view(), layout, evidence, 1, stop);
      CHECK(part.log_bound >= largest - 1e-10 * std::max(1.0, std::abs(largest)));
      if (part.has_states()) CHECK(part.log_value <= found.log_value + 1e-9);
    }
  }
  const CliqueTree small = map_tree(query.factors.view(), shape, {}, {0, 0}, 1, no_control);
  const CliqueTree exact = map_tree(query.factors.view(), shape, {}, {1e9, 1e9}, 1, no_control);
  CHECK(small.cells <= exact.cells * 2);
}

}  // namespace

int main() {
  Random random(4);
  std::size_t n_searches = 0;
  for (int repeat = 0; repeat < 150; ++repeat) {
    const SmallNetwork network(1 + random.below(7), 3, random);
    const Factors factors(network);
    check(Case(factors, true, random), random, n_searches);
    for (const double scale : {2.0, 20.0, 1300.0}) {  // The last scale leaves the range of doubles.
      const Factors markov(1 + random.below(7), random.below(12), scale, random);
      check(Case(markov, false, random), random, n_searches);
    }
  }
  CHECK(n_searches > 200);
  return 0;
}
