#include "credenet/lattice/heuristics/make_heuristic.hpp"

#include "credenet/lattice/heuristics/cycle_patterns.hpp"
#include "credenet/lattice/heuristics/pattern_groups.hpp"
#include "credenet/lattice/heuristics/static_patterns.hpp"

namespace credenet {
namespace {

// Sets of tables that sharpening makes: some tenths of a second.
constexpr std::size_t kSharpeningSets = std::size_t{1} << 24;

template <typename Patterns>
MadeHeuristic unless_stopped(std::unique_ptr<Patterns> patterns, std::size_t bytes) {
  if (!patterns->is_complete()) return {};
  return {.heuristic = std::move(patterns), .bytes = bytes};
}

}  // namespace

MadeHeuristic make_heuristic(const ComponentLists& lists, const OrderGraph& graph,
                             const OrderGraphOptions& options, Control& control) {
  const std::size_t n = lists.n_variables();
  if (options.heuristic == HeuristicKind::kStatic) {
    const auto sizes = options.pattern_sizes.empty() ? pattern_sizes(n, options.max_bytes / 4)
                                                     : options.pattern_sizes;
    const std::size_t bytes = StaticPatterns::bytes(sizes);
    if (bytes > options.max_bytes) return {.failure = Status::kMemoryLimit};
    const auto groups =
        sharpen_groups(lists, graph, pattern_groups(graph, sizes), kSharpeningSets, control);
    if (groups.empty() && n > 0) return {};
    return unless_stopped(
        std::make_unique<StaticPatterns>(lists, graph, groups, options.n_threads, control), bytes);
  }
  if (options.heuristic == HeuristicKind::kDynamic) {
    const std::size_t bytes = CyclePatterns::bytes(n, options.cycle_size);
    if (bytes > options.max_bytes) return {.failure = Status::kMemoryLimit};
    return unless_stopped(
        std::make_unique<CyclePatterns>(lists, graph, options.cycle_size, control), bytes);
  }
  return {.heuristic = std::make_unique<SimpleHeuristic>(lists)};
}

}  // namespace credenet
