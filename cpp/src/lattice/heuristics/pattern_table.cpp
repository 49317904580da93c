#include "credenet/lattice/heuristics/pattern_table.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace credenet {

std::vector<double> pattern_table(const ComponentLists& lists, const OrderGraph& graph,
                                  std::uint64_t group,
                                  const std::function<bool(std::size_t)>& go_on) {
  constexpr std::size_t kAskEvery = 1 << 12;  // Sets between two questions whether to go on.
  std::vector<std::size_t> members;
  for (std::uint64_t rest = group; rest != 0; rest &= rest - 1) {
    members.push_back(static_cast<std::size_t>(std::countr_zero(rest)));
  }
  std::vector<double> table(std::size_t{1} << members.size(), 0);
  for (std::size_t set = 1; set < table.size(); ++set) {
    std::uint64_t available = graph.everything();
    for (std::size_t rest = set; rest != 0; rest &= rest - 1) {
      const auto at = static_cast<std::size_t>(std::countr_zero(rest));
      available &= ~(std::uint64_t{1} << members[at]);
    }
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t rest = set; rest != 0; rest &= rest - 1) {
      const std::size_t v = members[static_cast<std::size_t>(std::countr_zero(rest))];
      const std::size_t k = graph.best_parents()(v, available);
      if (k == lists.size(v)) continue;
      best = std::max(best, lists.scores(v)[k] + table[set & ~(rest & (0 - rest))]);
      if (graph.loss(v, k) == 0) break;
    }
    table[set] = best;
    if (set % kAskEvery == 0 && !go_on(kAskEvery)) return {};
  }
  return table;
}

}  // namespace credenet
