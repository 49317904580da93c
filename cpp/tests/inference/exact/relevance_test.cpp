#include "credenet/inference/exact/relevance.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "inference/random_query.hpp"

using namespace credenet;

namespace {

// The distribution of a variable, and the sum over all states, from some of the factors.
std::vector<double> sums_of(const Case& query, Node target, const std::vector<std::uint8_t>& used) {
  const FactorsView view = query.factors.view();
  std::vector<double> sums(view.states_of(target) + 1, 0.0);
  std::vector<std::int32_t> row(query.size(), 0);
  do {
    double weight = 1;
    for (std::size_t factor = 0; factor < view.n_factors(); ++factor) {
      if (!used[factor]) continue;
      std::size_t cell = 0;
      for (const Node variable : view.scope(factor)) {
        const auto at = static_cast<std::size_t>(variable);
        cell = cell * view.states_of(variable) + static_cast<std::size_t>(row[at]);
      }
      weight *= view.table(factor)[cell];
    }
    for (std::size_t variable = 0; variable < query.size(); ++variable) {
      if (query.observed[variable] && row[variable] != query.states[variable]) weight = 0;
      if (!query.weighted[variable]) continue;
      weight *= query.likelihoods[query.begin[variable] + static_cast<std::size_t>(row[variable])];
    }
    sums[static_cast<std::size_t>(row[static_cast<std::size_t>(target)])] += weight;
    sums.back() += weight;
  } while (next_row(query.factors.n_states, row));
  return sums;
}

}  // namespace

// The test checks that the factors left out change no posterior.
int main() {
  Random random(15);
  std::size_t n_left_out = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Factors factors =
        trial % 2 == 0 ? Factors(SmallNetwork(6, 3, random)) : Factors(6, 5, 3.0, random);
    const Case query(factors, trial % 2 == 0, random);
    if (query.free().empty()) continue;
    const Node target = query.free()[random.below(query.free().size())];
    const std::vector<Node> targets{target};
    const std::vector<std::uint8_t> all(factors.view().n_factors(), 1);
    const std::vector<double> expected = sums_of(query, target, all);
    if (expected.back() == 0) continue;
    for (const bool whole : {false, true}) {
      const QueryShape shape{query.observed, query.weighted, targets, false, query.directed, whole};
      const std::vector<std::uint8_t> used = relevant_factors(factors.view(), shape);
      CHECK(used.size() == all.size());
      const std::vector<double> found = sums_of(query, target, used);
      CHECK(found.back() > 0);
      for (std::size_t state = 0; state + 1 < expected.size(); ++state) {
        CHECK(near(found[state] / found.back(), expected[state] / expected.back()));
      }
      for (const std::uint8_t is_used : used) n_left_out += is_used ? 0 : 1;
    }
  }
  CHECK(n_left_out > 50);
}
