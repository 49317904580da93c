#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/inference/exact/propagation.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// The limits of a tree with all sums first; its cells are its time.
struct MapBudget {
  double bytes = 0;
  double cells = 0;
};

// A tree for the maximised variables of a query: one in which all sums come first, if the budget
// allows, else a tree of small tables in which some maxima come too early, so that its value
// is no smaller than the truth.
[[nodiscard]] CliqueTree map_tree(const FactorsView& factors, const QueryShape& query,
                                  std::span<const Node> order, const MapBudget& budget,
                                  unsigned n_threads, Control& control);

struct MapResult {
  // State of each variable; 0 if it is neither observed nor maximised.
  std::vector<std::int32_t> states;
  double log_value = -std::numeric_limits<double>::infinity();
  double log_bound = std::numeric_limits<double>::infinity();  // No value is larger than this.
  std::uint64_t n_nodes = 0;  // Nodes of the search; 0 if none was needed.
  Status status = Status::kStopped;
  [[nodiscard]] bool has_states() const { return !states.empty(); }
};

// The states of the maximised variables with the largest sum of the product of all factors over the
// other variables. All maximised variables must be weighted in the layout (by ones, if need be).
// Stopped by the control it has the best so far, if there is one, and the bound.
[[nodiscard]] MapResult map_search(const FactorsView& factors, const PropagationLayout& layout,
                                   const Evidence& evidence, unsigned n_threads, Control& control);

}  // namespace credenet
