#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/search/component_lists.hpp"
#include "credenet/search/search_result.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

enum class HeuristicKind : std::uint8_t {
  kSimple,   // SimpleHeuristic
  kStatic,   // StaticPatterns
  kDynamic,  // CyclePatterns
};

struct AStarOptions {
  HeuristicKind heuristic = HeuristicKind::kStatic;
  // Static patterns: sizes of the groups, which sum to the number of variables, each at most
  // kLargestPattern; none: chosen from the number of variables and the memory.
  std::vector<std::size_t> pattern_sizes{};
  std::size_t cycle_size = 2;  // dynamic patterns: variables in one, at least 2
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  unsigned n_threads = 1;

  static constexpr std::size_t kLargestPattern = 30;
};

// Exact search for a best network of one component in the order graph. All of them have a network
// at once (the start, a family of each variable, if there is one; and a greedy one), keep a bound,
// and when stopped return the best network known and the bound. They end with a best network, up
// to the tolerance of OrderGraphSearch. Threads only make static patterns; the search is one
// thread.

// A* (Yuan, Malone, Wu 2011): nodes in order of what they promise. Expands fewest.
[[nodiscard]] SearchResult astar(const ComponentLists& lists, const AStarOptions& options,
                                 std::span<const std::int32_t> start, Control& control);

// Anytime weighted A* (Hansen and Zhou 2007): the loss of the rest counts weight times, and search
// goes on after the first network until nothing better is left.
[[nodiscard]] SearchResult weighted_astar(const ComponentLists& lists, const AStarOptions& options,
                                          double weight, std::span<const std::int32_t> start,
                                          Control& control);

// Anytime repairing A* (Likhachev, Gordon, Thrun 2003): weights first_weight, first_weight - step,
// … down to 1; each ends once its promise is kept, and the next goes on from the nodes left.
[[nodiscard]] SearchResult ara_star(const ComponentLists& lists, const AStarOptions& options,
                                    double first_weight, double step,
                                    std::span<const std::int32_t> start, Control& control);

// Anytime window A* (Aine, Chakrabarti, Kumar 2007): nodes that lag behind the deepest one by more
// than a window of 0, 1, … variables wait for the next, wider window.
[[nodiscard]] SearchResult awa_star(const ComponentLists& lists, const AStarOptions& options,
                                    std::span<const std::int32_t> start, Control& control);

}  // namespace credenet
