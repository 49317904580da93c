#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "credenet/models/factors_view.hpp"

namespace credenet {

// The part of a query that determines the shape of the computation: the targets, and which
// variables have a known state, but not which state.
struct QueryShape {
  std::span<const std::uint8_t> observed;  // 1 if the state of a variable is known.
  std::span<const std::uint8_t> weighted;  // 1 if a variable has a likelihood for each state.
  std::span<const std::int32_t> targets;   // Unobserved variables, each once.
  bool joint = false;          // Whether one table over all targets is wanted, not one for each.
  bool directed = false;       // Whether the factors are those of a Bayesian network.
  bool whole_evidence = true;  // Whether the probability of all evidence is wanted.
  // 1 for the variables that are maximised over, the others being summed; empty for none.
  std::span<const std::uint8_t> maximised{};

  [[nodiscard]] bool is_maximised(std::int32_t variable) const {
    return !maximised.empty() && maximised[static_cast<std::size_t>(variable)] != 0;
  }
};

}  // namespace credenet
