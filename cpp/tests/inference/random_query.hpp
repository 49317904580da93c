#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "credenet/inference/exact/propagation.hpp"
#include "credenet/util/random.hpp"
#include "small_network.hpp"

// The factors of a network, or random ones with zeros.
struct Factors : OwnedFactors {
  explicit Factors(const SmallNetwork& network) : OwnedFactors(network) {}

  Factors(std::size_t n_variables, std::size_t n_factors, double scale, credenet::Random& random) {
    for (std::size_t variable = 0; variable < n_variables; ++variable) {
      n_states.push_back(static_cast<std::int32_t>(1 + random.below(4)));
    }
    for (std::size_t factor = 0; factor < n_factors; ++factor) {
      std::int64_t cells = 1;
      for (std::size_t variable = 0; variable < n_variables; ++variable) {
        if (random.below(n_variables) > 2) continue;
        scopes.push_back(static_cast<std::int32_t>(variable));
        cells *= n_states[variable];
      }
      scope_offsets.push_back(static_cast<std::int64_t>(scopes.size()));
      table_offsets.push_back(table_offsets.back() + cells);
      for (std::int64_t cell = 0; cell < cells; ++cell) {
        tables.push_back(random.below(8) == 0 ? 0.0 : std::exp(scale * (random.uniform() - 0.5)));
      }
    }
  }

  // The log of the product for a joint state, by its definition.
  [[nodiscard]] double log_product(const std::vector<std::int32_t>& states) const {
    double sum = 0;
    const credenet::FactorsView all = view();
    for (std::size_t factor = 0; factor < all.n_factors(); ++factor) {
      std::size_t cell = 0;
      for (const std::int32_t variable : all.scope(factor)) {
        cell = cell * all.states_of(variable) +
               static_cast<std::size_t>(states[static_cast<std::size_t>(variable)]);
      }
      sum += std::log(all.table(factor)[cell]);
    }
    return sum;
  }
};

// A model with random evidence, hard and soft.
struct Case {
  const Factors& factors;
  bool directed = false;
  std::vector<std::uint8_t> observed, weighted;
  std::vector<std::int32_t> states;
  std::vector<double> likelihoods;
  std::vector<std::size_t> begin{0};

  Case(const Factors& model, bool is_directed, credenet::Random& random)
      : factors(model), directed(is_directed) {
    for (const std::int32_t size : model.n_states) {
      const std::uint64_t kind = random.below(4);
      observed.push_back(kind == 0 ? 1 : 0);
      weighted.push_back(kind == 1 ? 1 : 0);
      states.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(size))));
      for (std::int32_t state = 0; state < size; ++state) {
        likelihoods.push_back(random.below(5) == 0 ? 0.0 : random.uniform());
      }
      begin.push_back(likelihoods.size());
    }
  }

  [[nodiscard]] std::size_t size() const { return states.size(); }
  [[nodiscard]] std::vector<std::int32_t> free() const {
    std::vector<std::int32_t> result;
    for (std::size_t variable = 0; variable < size(); ++variable) {
      if (!observed[variable]) result.push_back(static_cast<std::int32_t>(variable));
    }
    return result;
  }

  // The log of the product of factors and likelihoods; -inf where the evidence excludes it.
  [[nodiscard]] double log_weight(const std::vector<std::int32_t>& row) const {
    double sum = factors.log_product(row);
    for (std::size_t variable = 0; variable < size(); ++variable) {
      if (observed[variable] && row[variable] != states[variable]) return -INFINITY;
      if (weighted[variable]) {
        sum += std::log(likelihoods[begin[variable] + static_cast<std::size_t>(row[variable])]);
      }
    }
    return sum;
  }
};

// Moves on to the next joint state; false after the last.
inline bool next_row(const std::vector<std::int32_t>& n_states, std::vector<std::int32_t>& row) {
  for (std::size_t variable = row.size(); variable-- > 0;) {
    if (++row[variable] < n_states[variable]) return true;
    row[variable] = 0;
  }
  return false;
}

inline bool near(double a, double b) {
  return std::abs(a - b) <= 1e-10 * std::max(1.0, std::abs(b));
}
