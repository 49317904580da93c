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
  std::span<const std::int64_t> scope_offsets;  // n_factors + 1 entries into scopes
  std::span<const std::int32_t> scopes;
  std::span<const std::int64_t> table_offsets;  // n_factors + 1 entries into tables
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
    const auto begin = static_cast<std::size_t>(table_offsets[factor]);
    return tables.subspan(begin, static_cast<std::size_t>(table_offsets[factor + 1]) - begin);
  }
};

// What is known and what is asked, as far as the shape of the computation depends on it: which
// variables have a known state, not which state.
struct QueryShape {
  std::span<const std::uint8_t> observed;  // 1 where the state is known
  std::span<const std::uint8_t> weighted;  // 1 where there is a likelihood per state
  std::span<const std::int32_t> targets;   // unobserved, each once
  bool joint = false;                      // one table over all targets, not one for each
  bool directed = false;                   // the factors are those of a Bayesian network
  bool whole_evidence = true;              // the probability of all evidence is wanted
  // 1 for the variables that are maximised over, the others being summed; empty for none.
  std::span<const std::uint8_t> maximised{};

  [[nodiscard]] bool is_maximised(std::int32_t variable) const {
    return !maximised.empty() && maximised[static_cast<std::size_t>(variable)] != 0;
  }
};

}  // namespace credenet
