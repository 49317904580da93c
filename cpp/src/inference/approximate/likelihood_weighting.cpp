#include "credenet/inference/approximate/likelihood_weighting.hpp"

#include <cmath>
#include <numeric>

#include "credenet/graphs/topological_order.hpp"
#include "credenet/util/weighted_choice.hpp"

namespace credenet {

std::vector<std::int32_t> order_along_arcs(const FactorsView& factors) {
  std::vector<Node> from, to;
  for (std::size_t variable = 0; variable < factors.n_variables(); ++variable) {
    const auto scope = factors.scope(variable);
    from.insert(from.end(), scope.begin(), scope.end() - 1);
    to.insert(to.end(), scope.size() - 1, scope.back());
  }
  return topological_order(Digraph(factors.n_variables(), Edges{from, to}));
}

std::optional<double> LikelihoodWeighting::operator()(Random& random,
                                                      std::span<std::int32_t> states) {
  double log_weight = 0;
  for (const std::int32_t variable : order_) {
    const auto at = static_cast<std::size_t>(variable);
    const auto scope = factors_.scope(at);
    std::size_t key = 0;
    for (const std::int32_t parent : scope.first(scope.size() - 1)) {
      key = key * factors_.states_of(parent) +
            static_cast<std::size_t>(states[static_cast<std::size_t>(parent)]);
    }
    const std::size_t n_states = factors_.states_of(variable);
    const auto row = factors_.table(at).subspan(key * n_states, n_states);
    if (query_.observed[at]) {
      states[at] = evidence_.states[at];
      log_weight += std::log(row[static_cast<std::size_t>(states[at])]);
      if (log_weight == -INFINITY) return log_weight;
      continue;
    }
    std::span<const double> weights = row;
    if (query_.weighted[at]) {
      products_.assign(row.begin(), row.end());
      for (std::size_t state = 0; state < n_states; ++state) {
        products_[state] *= evidence_.likelihoods[likelihood_begin_[at] + state];
      }
      weights = products_;
    }
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (query_.weighted[at]) log_weight += std::log(total);
    if (total == 0) return -INFINITY;
    states[at] = static_cast<std::int32_t>(weighted_choice(weights, total, random));
  }
  return log_weight;
}

}  // namespace credenet
