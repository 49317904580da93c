#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/natural.hpp"

namespace credenet {

// Rules on the parents of the nodes of a network. Empty rules allow everything.
struct ParentRules {
  // Value 1 at child * n_nodes + parent if it may be a parent.
  std::span<const std::uint8_t> possible;
  std::span<const std::int32_t> max_parents;  // Most parents of each node.

  [[nodiscard]] bool empty() const { return possible.empty() && max_parents.empty(); }
};

// Marks every edge of a DAG that obeys the rules by 1 if it points the same way in all Markov
// equivalent DAGs that obey them, else by 0. Throws std::invalid_argument if there is a directed
// cycle.
[[nodiscard]] std::vector<std::uint8_t> compelled_edges(std::size_t n_nodes, Edges edges,
                                                        const ParentRules& rules);

// The number of Markov equivalent DAGs that obey the rules. Nothing if the control stopped it.
[[nodiscard]] std::optional<Natural> allowed_class_size(std::size_t n_nodes, Edges edges,
                                                        const ParentRules& rules, Control& control);

}  // namespace credenet
