// States of all variables from the messages that were collected, the best or drawn ones. From the
// roots on, the variables that were eliminated in a clique are chosen given the states of its
// separator, by the product of its factors and its children's messages; so every clique is looked
// at once, and only where its separator's states say.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "credenet/inference/exact/propagation.hpp"
#include "credenet/util/weighted_choice.hpp"

namespace credenet {

// Finds the product of a clique's operands for every joint state of the variables summed out in it,
// given the states of its separator; up to a factor.
void Propagation::residual_weights(std::int32_t id, std::span<const std::int32_t> states,
                                   std::vector<double>& weights) const {
  const CliqueTable& clique = table(id);
  const Clique& members = layout_.tree.cliques[static_cast<std::size_t>(id)];
  const std::size_t n_axes = clique.sizes.size();
  std::size_t size = 1;
  for (std::size_t axis = members.n_separator; axis < n_axes; ++axis) size *= clique.sizes[axis];
  weights.assign(size, by_logs_ ? 0.0 : 1.0);
  for (const TableAccess& operand : clique.operands) {
    const bool needs_log = by_logs_ && operand.arena != Arena::kMessages;
    const double* values = read(operand);
    for (std::size_t axis = 0; axis < members.n_separator; ++axis) {
      const auto member = static_cast<std::size_t>(members.members[axis]);
      values += static_cast<std::size_t>(states[member]) * operand.strides[axis];
    }
    std::vector<std::size_t> counters(n_axes, 0);
    for (double& weight : weights) {
      weight = by_logs_ ? weight + (needs_log ? std::log(*values) : *values) : weight * *values;
      for (std::size_t axis = n_axes; axis-- > members.n_separator;) {
        values += operand.strides[axis];
        if (++counters[axis] < clique.sizes[axis]) break;
        values -= operand.strides[axis] * clique.sizes[axis];
        counters[axis] = 0;
      }
    }
  }
  if (!by_logs_) return;
  const double largest = std::ranges::max(weights);
  for (double& weight : weights) weight = std::exp(weight - largest);
}

// Writes down one joint state of the variables summed out in a clique.
void Propagation::set_residual(std::int32_t id, std::size_t joint_state,
                               std::span<std::int32_t> states) const {
  const Clique& members = layout_.tree.cliques[static_cast<std::size_t>(id)];
  for (std::size_t axis = members.members.size(); axis-- > members.n_separator;) {
    const std::size_t size = table(id).sizes[axis];
    states[static_cast<std::size_t>(members.members[axis])] =
        static_cast<std::int32_t>(joint_state % size);
    joint_state /= size;
  }
}

void Propagation::trace_back(std::span<std::int32_t> states) const {
  assert(is_possible_);
  std::vector<double> weights;
  // Whether a clique, or one above it, is summed.
  std::vector<std::uint8_t> is_passed(layout_.cliques.size(), 0);
  for (auto level = layout_.levels.rbegin(); level != layout_.levels.rend(); ++level) {
    for (const std::int32_t id : *level) {
      const std::int32_t parent = layout_.tree.cliques[static_cast<std::size_t>(id)].parent;
      if (kind_of(id) == Marginalisation::kSum ||
          (parent >= 0 && is_passed[static_cast<std::size_t>(parent)])) {
        is_passed[static_cast<std::size_t>(id)] = 1;
        continue;
      }
      residual_weights(id, states, weights);
      const auto best = std::ranges::max_element(weights) - weights.begin();
      set_residual(id, static_cast<std::size_t>(best), states);
    }
  }
}

void Propagation::draw(Random& random, std::span<std::int32_t> states) const {
  assert(is_possible_ && kind_ == Marginalisation::kSum);
  std::vector<double> weights;
  for (auto level = layout_.levels.rbegin(); level != layout_.levels.rend(); ++level) {
    for (const std::int32_t id : *level) {
      residual_weights(id, states, weights);
      const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
      set_residual(id, weighted_choice(weights, total, random), states);
    }
  }
}

}  // namespace credenet
