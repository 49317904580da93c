#include "credenet/search/astar.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <memory>

#include "credenet/search/cycle_patterns.hpp"
#include "credenet/search/heuristic.hpp"
#include "credenet/search/order_graph.hpp"
#include "credenet/search/order_graph_search.hpp"
#include "credenet/search/pattern_groups.hpp"
#include "credenet/search/static_patterns.hpp"

namespace credenet {
namespace {

constexpr std::size_t kSharpeningSets = std::size_t{1} << 24;  // some tenths of a second

// A heuristic, or why there is none.
struct MadeHeuristic {
  std::unique_ptr<Heuristic> heuristic = nullptr;
  std::size_t bytes = 0;
  SearchStatus failure = SearchStatus::kStopped;
};

template <typename Patterns>
MadeHeuristic unless_stopped(std::unique_ptr<Patterns> patterns, std::size_t bytes) {
  if (!patterns->is_complete()) return {};
  return {.heuristic = std::move(patterns), .bytes = bytes};
}

MadeHeuristic make_heuristic(const ComponentLists& lists, const OrderGraph& graph,
                             const AStarOptions& options, Control& control) {
  const std::size_t n = lists.n_variables();
  if (options.heuristic == HeuristicKind::kStatic) {
    const auto sizes = options.pattern_sizes.empty() ? pattern_sizes(n, options.max_bytes / 4)
                                                     : options.pattern_sizes;
    const std::size_t bytes = StaticPatterns::bytes(sizes);
    if (bytes > options.max_bytes) return {.failure = SearchStatus::kMemory};
    const auto groups =
        sharpen_groups(lists, graph, pattern_groups(graph, sizes), kSharpeningSets, control);
    if (groups.empty() && n > 0) return {};
    return unless_stopped(
        std::make_unique<StaticPatterns>(lists, graph, groups, options.n_threads, control), bytes);
  }
  if (options.heuristic == HeuristicKind::kDynamic) {
    const std::size_t bytes = CyclePatterns::bytes(n, options.cycle_size);
    if (bytes > options.max_bytes) return {.failure = SearchStatus::kMemory};
    return unless_stopped(
        std::make_unique<CyclePatterns>(lists, graph, options.cycle_size, control), bytes);
  }
  return {.heuristic = std::make_unique<SimpleHeuristic>(lists)};
}

SearchResult search(const ComponentLists& lists, const AStarOptions& options,
                    std::span<const std::int32_t> start, Control& control,
                    const std::function<SearchRound(std::size_t)>& rounds) {
  const OrderGraph graph(lists);
  if (!graph.is_feasible()) {
    SearchResult none;
    none.bound = none.score;
    none.status = SearchStatus::kInfeasible;
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

SearchResult astar(const ComponentLists& lists, const AStarOptions& options,
                   std::span<const std::int32_t> start, Control& control) {
  return search(lists, options, start, control, [](std::size_t) { return SearchRound{}; });
}

SearchResult weighted_astar(const ComponentLists& lists, const AStarOptions& options, double weight,
                            std::span<const std::int32_t> start, Control& control) {
  assert(weight >= 1);
  return search(lists, options, start, control,
                [&](std::size_t) { return SearchRound{.weight = weight}; });
}

SearchResult ara_star(const ComponentLists& lists, const AStarOptions& options, double first_weight,
                      double step, std::span<const std::int32_t> start, Control& control) {
  assert(first_weight >= 1 && step > 0);
  return search(lists, options, start, control, [&](std::size_t number) {
    const double weight = std::max(1.0, first_weight - static_cast<double>(number) * step);
    return SearchRound{.weight = weight, .ends_early = weight > 1};
  });
}

SearchResult awa_star(const ComponentLists& lists, const AStarOptions& options,
                      std::span<const std::int32_t> start, Control& control) {
  return search(lists, options, start, control,
                [](std::size_t number) { return SearchRound{.window = number}; });
}

}  // namespace credenet
