#include "credenet/lattice/astar.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

#include "credenet/lattice/heuristics/heuristic.hpp"
#include "credenet/lattice/order_graph.hpp"
#include "credenet/lattice/order_graph_search.hpp"

namespace credenet {
namespace {

SearchResult search(const ComponentLists& lists, const OrderGraphOptions& options,
                    std::span<const std::int32_t> start, Control& control,
                    const std::function<SearchRound(std::size_t)>& rounds) {
  const OrderGraph graph(lists);
  if (!graph.is_feasible()) {
    SearchResult none;
    none.bound = none.score;
    none.status = Status::kInfeasible;
    return none;
  }
  OrderGraphSearch search(lists, graph, options.max_bytes, control);
  if (!start.empty()) search.start_from(start);
  search.dive(SimpleHeuristic(lists));
  const MadeHeuristic made = make_heuristic(lists, graph, options, control);
  if (made.heuristic) {
    search.dive(*made.heuristic);
    search.run(*made.heuristic, made.bytes, rounds);
  } else {
    search.set_status(made.failure);
  }
  return search.take();
}

}  // namespace

SearchResult astar(const ComponentLists& lists, const OrderGraphOptions& options,
                   std::span<const std::int32_t> start, Control& control) {
  return search(lists, options, start, control, [](std::size_t) { return SearchRound{}; });
}

SearchResult weighted_astar(const ComponentLists& lists, const OrderGraphOptions& options,
                            double weight, std::span<const std::int32_t> start, Control& control) {
  assert(weight >= 1);
  return search(lists, options, start, control,
                [&](std::size_t) { return SearchRound{.weight = weight}; });
}

SearchResult ara_star(const ComponentLists& lists, const OrderGraphOptions& options,
                      double first_weight, double step, std::span<const std::int32_t> start,
                      Control& control) {
  assert(first_weight >= 1 && step > 0);
  return search(lists, options, start, control, [&](std::size_t number) {
    const double weight = std::max(1.0, first_weight - static_cast<double>(number) * step);
    return SearchRound{.weight = weight, .ends_early = weight > 1};
  });
}

SearchResult awa_star(const ComponentLists& lists, const OrderGraphOptions& options,
                      std::span<const std::int32_t> start, Control& control) {
  return search(lists, options, start, control,
                [](std::size_t number) { return SearchRound{.window = number}; });
}

}  // namespace credenet
