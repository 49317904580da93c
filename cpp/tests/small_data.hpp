#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "credenet/util/random.hpp"

// Column-major codes of a few rows, counted the slow way.
template <typename Code>
struct SmallData {
  std::size_t n_rows;
  std::size_t n_variables;
  std::vector<Code> codes;
  std::vector<double> weights;  // Weights of the rows; empty if there are none.

  // Every variable but the first repeats an earlier one with probability copied.
  SmallData(std::size_t rows, std::size_t variables, std::uint64_t n_states, double copied,
            credenet::Random& random)
      : n_rows(rows), n_variables(variables), codes(rows * variables) {
    for (std::size_t variable = 0; variable < variables; ++variable) {
      const std::size_t source = variable == 0 ? 0 : random.below(variable);
      for (std::size_t row = 0; row < rows; ++row) {
        const bool copies = variable > 0 && random.uniform() < copied;
        at(row, variable) = copies ? at(row, source) : static_cast<Code>(random.below(n_states));
      }
    }
  }

  [[nodiscard]] Code& at(std::size_t row, std::size_t variable) {
    return codes[variable * n_rows + row];
  }
  [[nodiscard]] Code at(std::size_t row, std::size_t variable) const {
    return codes[variable * n_rows + row];
  }
  [[nodiscard]] double weight(std::size_t row) const {
    return weights.empty() ? 1.0 : weights[row];
  }
  // Draws weights; a third of the rows count for nothing.
  void draw_weights(credenet::Random& random) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      weights.push_back(random.below(3) == 0 ? 0.0 : 2 * random.uniform());
    }
  }

  // The cells that occur only, each summed in the order of the rows.
  [[nodiscard]] std::map<std::vector<std::size_t>, double> counts(
      std::span<const std::uint16_t> variables) const {
    std::map<std::vector<std::size_t>, double> result;
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (weight(row) == 0) continue;
      std::vector<std::size_t> cell;
      for (const std::uint16_t variable : variables) cell.push_back(at(row, variable));
      result[cell] += weight(row);
    }
    return result;
  }
};

inline std::vector<std::uint16_t> random_variables(std::size_t n_variables, double density,
                                                   credenet::Random& random) {
  std::vector<std::uint16_t> variables;
  for (std::size_t variable = 0; variable < n_variables; ++variable) {
    if (random.uniform() < density) variables.push_back(static_cast<std::uint16_t>(variable));
  }
  return variables;
}
