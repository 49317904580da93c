#pragma once

#include <cstdint>
#include <span>

#include "credenet/families/search_result.hpp"
#include "credenet/lattice/component_lists.hpp"
#include "credenet/lattice/heuristics/make_heuristic.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// Exact search for a best network of one component in the order graph. All of them have a network
// at once (the start, a family of each variable, if there is one; and a greedy one), keep a bound,
// and when stopped return the best network known and the bound. They end with a best network, up
// to the tolerance of OrderGraphSearch. Threads only make static patterns; the search is one
// thread.

// A* (Yuan, Malone, Wu 2011): nodes in the order of their bounds. Expands the fewest.
[[nodiscard]] SearchResult astar(const ComponentLists& lists, const OrderGraphOptions& options,
                                 std::span<const std::int32_t> start, Control& control);

// Anytime weighted A* (Hansen and Zhou 2007): the loss of the rest counts weight times, and search
// continues after the first network until nothing better is left.
[[nodiscard]] SearchResult weighted_astar(const ComponentLists& lists,
                                          const OrderGraphOptions& options, double weight,
                                          std::span<const std::int32_t> start, Control& control);

// Anytime repairing A* (Likhachev, Gordon, Thrun 2003): weights first_weight, first_weight - step,
// … down to 1; each ends once its promise is kept, and the next continues with the nodes left.
[[nodiscard]] SearchResult ara_star(const ComponentLists& lists, const OrderGraphOptions& options,
                                    double first_weight, double step,
                                    std::span<const std::int32_t> start, Control& control);

// Anytime window A* (Aine, Chakrabarti, Kumar 2007): nodes that lag behind the deepest one by more
// than a window of 0, 1, … variables wait for the next, wider window.
[[nodiscard]] SearchResult awa_star(const ComponentLists& lists, const OrderGraphOptions& options,
                                    std::span<const std::int32_t> start, Control& control);

}  // namespace credenet
