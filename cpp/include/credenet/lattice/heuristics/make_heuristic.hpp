#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "credenet/families/search_result.hpp"
#include "credenet/lattice/component_lists.hpp"
#include "credenet/lattice/heuristics/heuristic.hpp"
#include "credenet/lattice/order_graph.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

enum class HeuristicKind : std::uint8_t {
  kSimple,   // Uses SimpleHeuristic.
  kStatic,   // Uses StaticPatterns.
  kDynamic,  // Uses CyclePatterns.
};

// Heuristic and limits of a search in the order graph.
struct OrderGraphOptions {
  HeuristicKind heuristic = HeuristicKind::kStatic;
  // Sizes of the groups of static patterns, which sum to the number of variables, each at most
  // kLargestPattern. If empty, they are chosen from the number of variables and the memory.
  std::vector<std::size_t> pattern_sizes{};
  std::size_t cycle_size = 2;  // Number of variables in a dynamic pattern, at least 2.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  unsigned n_threads = 1;

  static constexpr std::size_t kLargestPattern = 30;
};

// A heuristic, or the reason why there is none.
struct MadeHeuristic {
  std::unique_ptr<Heuristic> heuristic = nullptr;
  std::size_t bytes = 0;
  Status failure = Status::kStopped;
};

// Every variable must have a family.
[[nodiscard]] MadeHeuristic make_heuristic(const ComponentLists& lists, const OrderGraph& graph,
                                           const OrderGraphOptions& options, Control& control);

}  // namespace credenet
