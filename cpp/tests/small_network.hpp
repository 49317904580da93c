#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/models/factors_view.hpp"
#include "credenet/util/random.hpp"

// Factors that own their arrays.
struct OwnedFactors {
  std::vector<std::int32_t> n_states;
  std::vector<std::int64_t> scope_offsets{0};
  std::vector<std::int32_t> scopes;
  std::vector<std::int64_t> table_offsets{0};
  std::vector<double> tables;

  [[nodiscard]] credenet::FactorsView view() const {
    return {n_states, scope_offsets, scopes, table_offsets, tables};
  }
};

// A network over a random DAG (every parent has a smaller index) with random tables that have
// zeros.
struct SmallNetwork : OwnedFactors {
  SmallNetwork(std::size_t n_variables, std::uint64_t most_states, credenet::Random& random) {
    for (std::size_t variable = 0; variable < n_variables; ++variable) {
      const auto states = static_cast<std::int32_t>(1 + random.below(most_states));
      n_states.push_back(states);
      std::size_t n_rows = 1;
      for (std::size_t parent = 0; parent < variable; ++parent) {
        const auto radix = static_cast<std::size_t>(n_states[parent]);
        if (random.below(2) == 0 || n_rows * radix > 1000) continue;
        scopes.push_back(static_cast<std::int32_t>(parent));
        n_rows *= radix;
      }
      scopes.push_back(static_cast<std::int32_t>(variable));
      scope_offsets.push_back(static_cast<std::int64_t>(scopes.size()));
      for (std::size_t row = 0; row < n_rows; ++row)
        add_row(static_cast<std::size_t>(states), random);
      table_offsets.push_back(static_cast<std::int64_t>(tables.size()));
    }
  }

  [[nodiscard]] std::size_t size() const { return n_states.size(); }

  // The entry of a variable's table for one row of codes, by its definition.
  [[nodiscard]] std::size_t cell(std::size_t variable, const std::vector<std::size_t>& row) const {
    std::size_t key = 0;
    for (const std::int32_t parent : view().parents_of(variable)) {
      const auto at = static_cast<std::size_t>(parent);
      key = key * static_cast<std::size_t>(n_states[at]) + row[at];
    }
    return static_cast<std::size_t>(table_offsets[variable]) +
           key * static_cast<std::size_t>(n_states[variable]) + row[variable];
  }

  // Draws column-major codes, all of them possible states.
  template <typename Code>
  [[nodiscard]] std::vector<Code> random_codes(std::size_t n_rows, credenet::Random& random) const {
    std::vector<Code> codes;
    for (const std::int32_t states : n_states) {
      for (std::size_t row = 0; row < n_rows; ++row) {
        codes.push_back(static_cast<Code>(random.below(static_cast<std::uint64_t>(states))));
      }
    }
    return codes;
  }

 private:
  void add_row(std::size_t states, credenet::Random& random) {
    std::vector<double> row(states);
    double total = 0.0;
    for (double& p : row) {
      p = random.below(4) == 0 ? 0.0 : random.uniform();
      total += p;
    }
    if (total == 0.0) total = row[0] = 1.0;
    for (const double p : row) tables.push_back(p / total);
  }
};

template <typename Code>
std::vector<std::size_t> row_of(const std::vector<Code>& codes, std::size_t n_rows,
                                std::size_t row) {
  std::vector<std::size_t> result;
  for (std::size_t at = row; at < codes.size(); at += n_rows) result.push_back(codes[at]);
  return result;
}
