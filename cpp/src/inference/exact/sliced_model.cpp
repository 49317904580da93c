#include "credenet/inference/exact/sliced_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "credenet/inference/exact/clique_tables.hpp"
#include "credenet/inference/exact/clique_tree.hpp"

namespace credenet {

SlicedModel::SlicedModel(const FactorsView& factors, const QueryShape& query,
                         const Evidence& evidence, std::span<const Node> order) {
  std::vector<Node> number(factors.n_variables(), -1);
  const auto add_variable = [&](Node variable) {
    if (query.observed[static_cast<std::size_t>(variable)]) return;
    number[static_cast<std::size_t>(variable)] = static_cast<Node>(variables.size());
    variables.push_back(variable);
    n_states.push_back(factors.n_states[static_cast<std::size_t>(variable)]);
  };
  if (order.empty()) {
    for (std::size_t at = 0; at < number.size(); ++at) add_variable(static_cast<Node>(at));
  } else {
    for (std::size_t at = order.size(); at-- > 0;) add_variable(order[at]);
  }
  state_offsets.push_back(0);
  for (const std::int32_t states : n_states) {
    state_offsets.push_back(state_offsets.back() + static_cast<std::size_t>(states));
  }

  // Ends the factor whose table is the last part of tables.
  const auto end_factor = [&](std::size_t begin, std::int64_t exponent) {
    const std::span table(tables.data() + begin, tables.size() - begin);
    is_possible = is_possible && std::ranges::any_of(table, [](double value) { return value > 0; });
    log_constant += static_cast<double>(exponent) * std::numbers::ln2;
    table_offsets.push_back(static_cast<std::int64_t>(tables.size()));
    scope_offsets.push_back(static_cast<std::int64_t>(scopes.size()));
  };
  for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
    const auto scope = factors.scope(factor);
    SlicedTable slice;
    slice.factor = factor;
    // Free variables with their strides in the factor.
    std::vector<std::pair<Node, std::size_t>> free;
    std::size_t stride = 1;
    for (std::size_t at = scope.size(); at-- > 0;) {
      const Node here = number[static_cast<std::size_t>(scope[at])];
      if (here < 0) {
        slice.observed.emplace_back(scope[at], stride);
      } else {
        free.emplace_back(here, stride);
      }
      stride *= factors.states_of(scope[at]);
    }
    std::ranges::sort(free);
    for (const auto& [variable, source_stride] : free) {
      slice.sizes.push_back(static_cast<std::size_t>(n_states[static_cast<std::size_t>(variable)]));
      slice.strides.push_back(source_stride);
      slice.size *= slice.sizes.back();
    }
    const std::size_t begin = tables.size();
    tables.resize(begin + slice.size);
    const std::int64_t exponent = copy_slice(factors, slice, evidence.states, &tables[begin]);
    if (free.empty()) {
      log_constant += std::log(tables[begin]) + static_cast<double>(exponent) * std::numbers::ln2;
      is_possible = is_possible && tables[begin] > 0;
      tables.resize(begin);
      continue;
    }
    for (const auto& [variable, source_stride] : free) scopes.push_back(variable);
    end_factor(begin, exponent);
  }
  std::size_t likelihood = 0;
  for (std::size_t variable = 0; variable < factors.n_variables(); ++variable) {
    const std::size_t states = factors.states_of(static_cast<Node>(variable));
    if (query.weighted[variable] && number[variable] >= 0) {
      const std::size_t begin = tables.size();
      const auto given = evidence.likelihoods.subspan(likelihood, states);
      tables.insert(tables.end(), given.begin(), given.end());
      scopes.push_back(number[variable]);
      end_factor(begin, take_out_exponent(std::span(tables).subspan(begin)));
    }
    likelihood += states;
  }
}

OrderOfModel order_of_model(const FactorsView& factors, const QueryShape& query, unsigned n_threads,
                            Control& control) {
  std::vector<Node> free;
  for (std::size_t variable = 0; variable < factors.n_variables(); ++variable) {
    if (!query.observed[variable]) free.push_back(static_cast<Node>(variable));
  }
  const QueryShape all{query.observed, query.weighted, free, false, query.directed, true};
  const CliqueTree tree = clique_tree(factors, all, {}, n_threads, control);
  std::ranges::sort(
      free, {}, [&](Node variable) { return tree.position[static_cast<std::size_t>(variable)]; });
  return {std::move(free), tree.width};
}

}  // namespace credenet
