// Active trails of least weight, by Dijkstra's algorithm on pairs of a variable and the way it was
// entered: along an arc (from a parent) or against one (from a child). Outside z a variable passes
// on to its children, and to its parents if it was entered from a child. A collider, entered from a
// parent and left to a parent, costs the lightest path from it to z, found beforehand from z
// backwards. What is found may pass a variable twice; it is active all the same, and then so is
// some trail within its arcs.
#include "credenet/ilp/active_trails.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace credenet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int32_t kNone = -1;
constexpr std::size_t kStart = ~std::size_t{0};

using Entry = std::pair<double, std::size_t>;  // Cost of the path to a state, and the state.
using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

class TrailSearch {
 public:
  TrailSearch(std::size_t n, std::span<const WeightedArc> arcs, std::span<const std::int32_t> z)
      : arcs_(arcs), out_(n), in_(n), is_given_(n, 0), to_given_(n, kInfinity), next_(n, kNone) {
    for (std::size_t at = 0; at < arcs.size(); ++at) {
      out_[static_cast<std::size_t>(arcs[at].tail)].push_back(static_cast<std::int32_t>(at));
      in_[static_cast<std::size_t>(arcs[at].head)].push_back(static_cast<std::int32_t>(at));
    }
    find_paths_to(z);
  }

  std::vector<std::int32_t> find(std::span<const std::int32_t> x, std::span<const std::int32_t> y,
                                 double limit) {
    const std::size_t n = out_.size();
    std::vector<std::uint8_t> is_end(n, 0);
    for (const std::int32_t v : y) is_end[static_cast<std::size_t>(v)] = 1;
    cost_.assign(2 * n, kInfinity);
    before_.assign(2 * n, kStart);
    by_.assign(2 * n, kNone);
    for (const std::int32_t v : x) reach(from_child(static_cast<std::size_t>(v)), 0, kStart, kNone);
    while (!queue_.empty()) {
      const auto [cost, state] = queue_.top();
      queue_.pop();
      if (cost > cost_[state]) continue;
      if (cost >= limit) break;
      const std::size_t v = state / 2;
      if (is_end[v] != 0) return arcs_to(state);
      const bool entered_from_parent = state % 2 == 1;
      const double collider = entered_from_parent ? to_given_[v] : 0.0;
      if (is_given_[v] == 0) {
        for (const std::int32_t at : out_[v]) {
          const WeightedArc& arc = arcs_[static_cast<std::size_t>(at)];
          reach(from_parent(static_cast<std::size_t>(arc.head)), cost + arc.weight, state, at);
        }
      }
      if (collider == kInfinity || (!entered_from_parent && is_given_[v] != 0)) continue;
      for (const std::int32_t at : in_[v]) {
        const WeightedArc& arc = arcs_[static_cast<std::size_t>(at)];
        reach(from_child(static_cast<std::size_t>(arc.tail)), cost + collider + arc.weight, state,
              at);
      }
    }
    return {};
  }

 private:
  static std::size_t from_child(std::size_t v) { return 2 * v; }
  static std::size_t from_parent(std::size_t v) { return 2 * v + 1; }

  void find_paths_to(std::span<const std::int32_t> z) {
    Queue queue;
    for (const std::int32_t variable : z) {
      const auto v = static_cast<std::size_t>(variable);
      is_given_[v] = 1;
      to_given_[v] = 0;
      queue.push({0, v});
    }
    while (!queue.empty()) {
      const auto [cost, v] = queue.top();
      queue.pop();
      if (cost > to_given_[v]) continue;
      for (const std::int32_t at : in_[v]) {
        const WeightedArc& arc = arcs_[static_cast<std::size_t>(at)];
        const auto tail = static_cast<std::size_t>(arc.tail);
        if (cost + arc.weight >= to_given_[tail]) continue;
        to_given_[tail] = cost + arc.weight;
        next_[tail] = at;
        queue.push({to_given_[tail], tail});
      }
    }
  }

  void reach(std::size_t state, double cost, std::size_t before, std::int32_t by) {
    if (cost >= cost_[state]) return;
    cost_[state] = cost;
    before_[state] = before;
    by_[state] = by;
    queue_.push({cost, state});
  }

  [[nodiscard]] std::vector<std::int32_t> arcs_to(std::size_t state) const {
    std::vector<std::int32_t> found;
    while (before_[state] != kStart) {
      found.push_back(by_[state]);
      const std::size_t before = before_[state];
      if (state % 2 == 0 && before % 2 == 1) {  // The variable is a collider.
        std::size_t v = before / 2;
        while (is_given_[v] == 0) {
          found.push_back(next_[v]);
          v = static_cast<std::size_t>(arcs_[static_cast<std::size_t>(next_[v])].head);
        }
      }
      state = before;
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  std::span<const WeightedArc> arcs_;
  std::vector<std::vector<std::int32_t>> out_;  // Arcs by their tails.
  std::vector<std::vector<std::int32_t>> in_;
  std::vector<std::uint8_t> is_given_;
  std::vector<double> to_given_;    // Cost of the lightest path to z.
  std::vector<std::int32_t> next_;  // First arc of the lightest path to z.
  std::vector<double> cost_;        // Cost of each state.
  std::vector<std::size_t> before_;
  std::vector<std::int32_t> by_;  // Arc from the state before.
  Queue queue_;
};

}  // namespace

std::vector<std::int32_t> lightest_active_trail(std::size_t n_variables,
                                                std::span<const WeightedArc> arcs,
                                                std::span<const std::int32_t> x,
                                                std::span<const std::int32_t> y,
                                                std::span<const std::int32_t> z, double limit) {
  return TrailSearch(n_variables, arcs, z).find(x, y, limit);
}

}  // namespace credenet
