#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/util/control.hpp"

namespace credenet {

// States of some of the targets, and how much better they predict the evidence than all others.
struct Explanation {
  // State of each target; -1 for a target outside the explanation.
  std::vector<std::int32_t> states;
  double bayes_factor = 0;  // P(evidence | states) / P(evidence | any other states).
};

// The memory of explanations.
[[nodiscard]] double explanation_bytes(std::span<const std::int32_t> n_states);

// The k minimal explanations with the largest factors, largest first. They follow from the
// distributions of the targets without and with the evidence (one axis per target, the last
// changing fastest; both add up to 1). An explanation is minimal if no part of it has as large a
// factor, and nothing that it is a part of has a larger one. States that are certain, or excluded
// by the model or the evidence, explain nothing. False if the control stopped it.
bool explanations(std::span<const std::int32_t> n_states, std::span<const double> prior,
                  std::span<const double> posterior, std::size_t k, Control& control,
                  std::vector<Explanation>& found);

}  // namespace credenet
