#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/inference/exact/factors.hpp"
#include "credenet/inference/exact/propagation.hpp"

namespace credenet {

// A model with its evidence worked in: observed variables are cut out of every table, likelihoods
// are tables of one variable. The variables left are numbered so that the one eliminated last comes
// first; every scope is ascending. Approximate methods work on this.
struct SlicedModel {
  std::vector<Node> variables;  // Number of each variable in the whole model.
  std::vector<std::int32_t> n_states;
  std::vector<std::int64_t> scope_offsets{0};
  std::vector<std::int32_t> scopes;
  std::vector<std::int64_t> table_offsets{0};
  std::vector<double> tables;
  std::vector<std::size_t> state_offsets;  // Start of the states of each variable, and the end.
  double log_constant = 0;                 // Log of what was taken out of the tables.
  bool is_possible = true;                 // False if a table has no positive entry.

  // The order lists the unobserved variables, first eliminated first; if empty, variables
  // keep their order.
  SlicedModel(const FactorsView& factors, const QueryShape& query, const Evidence& evidence,
              std::span<const Node> order);

  [[nodiscard]] FactorsView view() const {
    return {n_states, scope_offsets, scopes, table_offsets, tables};
  }
  [[nodiscard]] std::size_t n_variables() const { return variables.size(); }
};

// A good elimination order of the unobserved variables, and the width of its clique tree.
struct OrderOfModel {
  std::vector<Node> order;
  std::size_t width = 0;
};
[[nodiscard]] OrderOfModel order_of_model(const FactorsView& factors, const QueryShape& query,
                                          unsigned n_threads, Control& control);

}  // namespace credenet
