#include "credenet/lattice/heuristics/pattern_groups.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>

#include "credenet/lattice/heuristics/pattern_table.hpp"
#include "credenet/util/bit.hpp"

namespace credenet {
namespace {

constexpr std::size_t kLargestGroup = 20;  // Largest size of a group.
constexpr double kNever = 1e6;             // Loss of a variable that cannot do without the other.

}  // namespace

std::vector<double> pair_losses(const OrderGraph& graph) {
  const std::size_t n = graph.n_variables();
  const auto without = [&](std::size_t variable, std::size_t other) {
    const std::uint64_t available = graph.everything() & ~bit(variable) & ~bit(other);
    return std::min(graph.loss(variable, graph.best_parents()(variable, available)), kNever);
  };
  std::vector<double> losses(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      losses[i * n + j] = losses[j * n + i] = std::min(without(i, j), without(j, i));
    }
  }
  return losses;
}

std::vector<std::size_t> pattern_sizes(std::size_t n_variables, std::size_t max_bytes) {
  if (n_variables < 2) return std::vector<std::size_t>(n_variables, 1);
  std::size_t n_groups = 2;
  const auto largest = [&] { return (n_variables + n_groups - 1) / n_groups; };
  while (largest() > kLargestGroup ||
         (largest() > 1 && n_groups * sizeof(double) << largest() > max_bytes)) {
    ++n_groups;
  }
  std::vector<std::size_t> sizes;
  for (std::size_t group = 0; group < n_groups; ++group) {
    sizes.push_back((n_variables + group) / n_groups);
  }
  return sizes;
}

std::vector<std::uint64_t> pattern_groups(const OrderGraph& graph,
                                          const std::vector<std::size_t>& sizes) {
  const std::size_t n = graph.n_variables();
  assert(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) == n);
  const std::vector<double> weights = pair_losses(graph);
  const auto weight_to = [&](std::size_t variable, std::uint64_t group) {
    double sum = 0;
    for (std::size_t other = 0; other < n; ++other) {
      if ((group >> other & 1) != 0) sum += weights[variable * n + other];
    }
    return sum;
  };
  std::vector<std::uint64_t> groups;
  std::uint64_t left = graph.everything();
  const auto closest_to = [&](std::uint64_t group) {
    std::size_t closest = n;
    for (std::size_t v = 0; v < n; ++v) {
      if ((left >> v & 1) == 0) continue;
      if (closest == n || weight_to(v, group) > weight_to(closest, group)) closest = v;
    }
    return closest;
  };
  for (const std::size_t size : sizes) {
    std::uint64_t group = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t v = closest_to(k == 0 ? left : group);
      group |= bit(v);
      left &= ~bit(v);
    }
    groups.push_back(group);
  }
  std::vector<std::size_t> group_of(n);
  for (std::size_t v = 0; v < n; ++v) {
    while ((groups[group_of[v]] >> v & 1) == 0) ++group_of[v];
  }
  const auto exchange = [&](std::size_t i, std::size_t j) {
    std::uint64_t& of_i = groups[group_of[i]];
    std::uint64_t& of_j = groups[group_of[j]];
    const double gain = weight_to(i, of_j) + weight_to(j, of_i) - weight_to(i, of_i) -
                        weight_to(j, of_j) - 2 * weights[i * n + j];
    if (gain <= 1e-9) return false;
    of_i ^= bit(i) | bit(j);
    of_j ^= bit(i) | bit(j);
    std::swap(group_of[i], group_of[j]);
    return true;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (group_of[i] != group_of[j] && exchange(i, j)) moved = true;
      }
    }
  }
  return groups;
}

std::vector<std::uint64_t> sharpen_groups(const ComponentLists& lists, const OrderGraph& graph,
                                          std::vector<std::uint64_t> groups, std::size_t max_sets,
                                          Control& control) {
  const std::size_t n = graph.n_variables();
  std::size_t n_sets = 0;
  bool is_stopped = false;
  const auto loss_of = [&](std::uint64_t group) {
    const auto table = pattern_table(lists, graph, group, [&](std::size_t) {
      is_stopped = is_stopped || !control.poll({.done = n_sets, .total = max_sets});
      return !is_stopped;
    });
    n_sets += std::size_t{1} << std::popcount(group);
    if (table.empty()) return -std::numeric_limits<double>::infinity();
    double loss = -table.back();
    for (std::uint64_t rest = group; rest != 0; rest &= rest - 1) {
      loss += lists.scores(static_cast<std::size_t>(std::countr_zero(rest)))[0];
    }
    return loss;
  };
  std::vector<double> losses;
  for (const std::uint64_t group : groups) losses.push_back(loss_of(group));
  if (is_stopped) return {};
  const auto exchange = [&](std::size_t a, std::size_t b, std::uint64_t pair) {
    const double loss_a = loss_of(groups[a] ^ pair);
    const double loss_b = loss_of(groups[b] ^ pair);
    if (loss_a + loss_b <= losses[a] + losses[b] + 1e-9) return false;
    groups[a] ^= pair;
    groups[b] ^= pair;
    losses[a] = loss_a;
    losses[b] = loss_b;
    return true;
  };
  const auto group_of = [&](std::size_t variable) {
    std::size_t at = 0;
    while ((groups[at] >> variable & 1) == 0) ++at;
    return at;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::size_t a = group_of(i);
        const std::size_t b = group_of(j);
        if (a == b) continue;
        if (n_sets > max_sets) return groups;
        if (exchange(a, b, bit(i) | bit(j))) moved = true;
        if (is_stopped) return {};
      }
      if (!control.poll({.done = n_sets, .total = max_sets})) return {};
    }
  }
  return groups;
}

}  // namespace credenet
