#include "credenet/ilp/lp_rounding.hpp"

#include <algorithm>

namespace credenet {
namespace {

constexpr double kLeastDifference = 1e-9;  // Smaller differences of masses are rounding.

// Places variables in an order, each with its best family among those placed; a variable that
// cannot be placed yet waits.
std::vector<std::int32_t> best_in_order(const FamilyLists& lists,
                                        const std::vector<std::size_t>& order) {
  std::vector<std::uint8_t> is_placed(lists.n_variables(), 0);
  std::vector<std::int32_t> choice(lists.n_variables(), -1);
  std::vector<std::size_t> waiting = order;
  for (bool is_moving = true; is_moving && !waiting.empty();) {
    is_moving = false;
    std::erase_if(waiting, [&](std::size_t v) {
      for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
        if (std::ranges::all_of(lists.parents_of(f), [&](std::int32_t parent) {
              return is_placed[static_cast<std::size_t>(parent)] != 0;
            })) {
          choice[v] = static_cast<std::int32_t>(f - lists.begin(v));
          is_placed[v] = 1;
          is_moving = true;
          return true;
        }
      }
      return false;
    });
  }
  if (!waiting.empty()) choice.clear();
  return choice;
}

}  // namespace

std::vector<std::int32_t> rounded_network(const FamilyLists& lists, std::span<const double> x) {
  const std::size_t n = lists.n_variables();
  // Number of parents of each used family that are not placed yet.
  std::vector<std::size_t> missing;
  std::vector<std::vector<std::size_t>> used_with(n);
  std::vector<std::size_t> child;
  std::vector<double> mass;
  std::vector<double> ready(n, 0.0);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (x[f] < kLeastDifference) continue;
      for (const std::int32_t parent : lists.parents_of(f)) {
        used_with[static_cast<std::size_t>(parent)].push_back(child.size());
      }
      missing.push_back(lists.parents_of(f).size());
      if (missing.back() == 0) ready[v] += x[f];
      child.push_back(v);
      mass.push_back(x[f]);
    }
  }
  std::vector<std::size_t> order;
  std::vector<std::uint8_t> is_placed(n, 0);
  while (order.size() < n) {
    std::size_t next = n;
    for (std::size_t v = 0; v < n; ++v) {
      if (is_placed[v] == 0 && (next == n || ready[v] > ready[next] + kLeastDifference)) next = v;
    }
    is_placed[next] = 1;
    order.push_back(next);
    for (const std::size_t at : used_with[next]) {
      if (--missing[at] == 0) ready[child[at]] += mass[at];
    }
  }
  return best_in_order(lists, order);
}

std::vector<std::int32_t> rounded_by_sinks(const FamilyLists& lists, std::span<const double> x) {
  const std::size_t n = lists.n_variables();
  // Mass of remaining families that have each variable as a parent.
  std::vector<double> lost(n, 0.0);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      for (const std::int32_t parent : lists.parents_of(f)) {
        lost[static_cast<std::size_t>(parent)] += x[f];
      }
    }
  }
  std::vector<std::size_t> order;
  std::vector<std::uint8_t> is_gone(n, 0);
  while (order.size() < n) {
    std::size_t sink = n;
    for (std::size_t v = 0; v < n; ++v) {
      if (is_gone[v] == 0 && (sink == n || lost[v] < lost[sink] - kLeastDifference)) sink = v;
    }
    is_gone[sink] = 1;
    order.push_back(sink);
    for (std::size_t f = lists.begin(sink); f < lists.end(sink); ++f) {
      if (x[f] < kLeastDifference) continue;
      for (const std::int32_t parent : lists.parents_of(f)) {
        lost[static_cast<std::size_t>(parent)] -= x[f];
      }
    }
  }
  std::ranges::reverse(order);
  return best_in_order(lists, order);
}

}  // namespace credenet
