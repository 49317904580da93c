#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace credenet {

// A product of non-negative tables over discrete variables, as flat arrays owned by the caller. The
// last variable of a scope changes fastest. The factors of a Bayesian network are its tables:
// factor v has variable v last and its parents before it.
struct FactorsView {
  std::span<const std::int32_t> n_states;
  // Start of each factor's variables in scopes, and the end.
  std::span<const std::int64_t> scope_offsets;
  std::span<const std::int32_t> scopes;
  // Start of each factor's cells in tables, and the end.
  std::span<const std::int64_t> table_offsets;
  std::span<const double> tables;

  [[nodiscard]] std::size_t n_variables() const { return n_states.size(); }
  [[nodiscard]] std::size_t n_factors() const { return scope_offsets.size() - 1; }

  [[nodiscard]] std::size_t states_of(std::int32_t variable) const {
    return static_cast<std::size_t>(n_states[static_cast<std::size_t>(variable)]);
  }

  [[nodiscard]] std::span<const std::int32_t> scope(std::size_t factor) const {
    const auto begin = static_cast<std::size_t>(scope_offsets[factor]);
    return scopes.subspan(begin, static_cast<std::size_t>(scope_offsets[factor + 1]) - begin);
  }

  [[nodiscard]] std::span<const double> table(std::size_t factor) const {
    return tables.subspan(table_begin(factor), table_size(factor));
  }

  [[nodiscard]] std::size_t table_begin(std::size_t factor) const {
    return static_cast<std::size_t>(table_offsets[factor]);
  }

  [[nodiscard]] std::size_t table_size(std::size_t factor) const {
    return static_cast<std::size_t>(table_offsets[factor + 1]) - table_begin(factor);
  }

  // The parents of a variable of a Bayesian network.
  [[nodiscard]] std::span<const std::int32_t> parents_of(std::size_t variable) const {
    const auto family = scope(variable);
    return family.first(family.size() - 1);
  }
};

}  // namespace credenet
