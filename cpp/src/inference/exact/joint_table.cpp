#include "credenet/inference/exact/joint_table.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "credenet/inference/exact/propagation.hpp"

namespace credenet {

bool joint_table(const FactorsView& network, std::span<const Node> variables, double max_bytes,
                 std::span<double> probabilities) {
  const std::vector<std::uint8_t> none(network.n_variables(), 0);
  const QueryShape query{.observed = none,
                         .weighted = none,
                         .targets = variables,
                         .joint = true,
                         .directed = true,
                         .whole_evidence = false};
  NoControl no_control;
  CliqueTree tree = clique_tree(network, query, {}, 1, no_control);
  if (propagation_bytes(network, tree) > max_bytes) return false;
  const PropagationLayout layout(network, query, std::move(tree));
  Propagation propagation(network, layout);
  const std::vector<std::int32_t> states(network.n_variables(), 0);
  static_cast<void>(propagation.collect({states, {}}, Marginalisation::kSum, 1, no_control));
  std::vector<double> found(propagation.joint_size());
  propagation.joint(found);

  // The axis of the variable with the highest position comes first in the joint.
  std::vector<Node> axes(variables.begin(), variables.end());
  std::ranges::sort(axes, std::greater{}, [&](Node variable) {
    return layout.tree.position[static_cast<std::size_t>(variable)];
  });
  std::vector<std::size_t> strides(variables.size());  // Strides in the table asked for, by axis.
  std::vector<std::size_t> sizes(variables.size());
  std::size_t stride = 1;
  for (std::size_t place = variables.size(); place-- > 0;) {
    const auto axis =
        static_cast<std::size_t>(std::ranges::find(axes, variables[place]) - axes.begin());
    strides[axis] = stride;
    sizes[axis] = network.states_of(variables[place]);
    stride *= sizes[axis];
  }
  std::vector<std::size_t> at(variables.size(), 0);
  std::size_t cell = 0;
  for (const double probability : found) {
    probabilities[cell] = probability;
    for (std::size_t axis = at.size(); axis-- > 0;) {
      cell += strides[axis];
      if (++at[axis] < sizes[axis]) break;
      cell -= strides[axis] * sizes[axis];
      at[axis] = 0;
    }
  }
  return true;
}

}  // namespace credenet
