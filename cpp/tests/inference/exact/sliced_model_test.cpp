#include "credenet/inference/exact/sliced_model.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "inference/random_query.hpp"

using namespace credenet;

namespace {

// The log of the product of the tables left, for states of all variables.
double log_product(const SlicedModel& model, const std::vector<std::int32_t>& row) {
  const FactorsView view = model.view();
  double sum = model.log_constant;
  for (std::size_t factor = 0; factor < view.n_factors(); ++factor) {
    std::size_t cell = 0;
    for (const std::int32_t variable : view.scope(factor)) {
      const auto whole =
          static_cast<std::size_t>(model.variables[static_cast<std::size_t>(variable)]);
      cell = cell * view.states_of(variable) + static_cast<std::size_t>(row[whole]);
    }
    sum += std::log(view.table(factor)[cell]);
  }
  return sum;
}

}  // namespace

int main() {
  Random random(12);
  NoControl control;
  for (int trial = 0; trial < 100; ++trial) {
    const Factors factors =
        trial % 2 == 0 ? Factors(SmallNetwork(5, 3, random)) : Factors(5, 6, 3.0, random);
    const Case query(factors, trial % 2 == 0, random);
    const QueryShape shape{query.observed, query.weighted, {}, false, query.directed, true};
    const std::vector<Node> order = order_of_model(factors.view(), shape, 1, control).order;
    std::vector<Node> sorted = order;
    std::ranges::sort(sorted);
    CHECK(sorted == query.free());
    const SlicedModel model(factors.view(), shape, {query.states, query.likelihoods}, order);
    CHECK(std::ranges::equal(model.variables, std::vector<Node>(order.rbegin(), order.rend())));
    bool is_possible = false;
    std::vector<std::int32_t> row(query.size(), 0);
    do {
      const double expected = query.log_weight(row);
      is_possible = is_possible || std::isfinite(expected);
      bool agrees = true;
      for (std::size_t variable = 0; variable < query.size(); ++variable) {
        agrees = agrees && (!query.observed[variable] || row[variable] == query.states[variable]);
      }
      if (!agrees || !model.is_possible) continue;
      const double found = log_product(model, row);
      CHECK(std::isinf(expected) ? std::isinf(found) : std::abs(found - expected) < 1e-9);
    } while (next_row(factors.n_states, row));
    CHECK(model.is_possible || !is_possible);
  }
}
