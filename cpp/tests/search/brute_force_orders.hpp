#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "credenet/search/component_lists.hpp"

// Score of the best network by trying every order of the variables; minus infinity if there is no
// network. A network fits some order, in which each variable may choose its best parents.
inline double best_over_orders(const credenet::ComponentLists& lists) {
  std::vector<std::size_t> order(lists.n_variables());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = -std::numeric_limits<double>::infinity();
  do {
    double score = 0;
    std::uint64_t placed = 0;
    for (const std::size_t v : order) {
      const std::size_t k = lists.best(v, placed);
      if (k == lists.size(v)) score = -std::numeric_limits<double>::infinity();
      if (k < lists.size(v)) score += lists.scores(v)[k];
      placed |= std::uint64_t{1} << v;
    }
    best = std::max(best, score);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

// For every set of variables placed, the most that the others can add (minus infinity if they
// cannot be placed).
inline std::vector<double> best_completions(const credenet::ComponentLists& lists) {
  const std::size_t n = lists.n_variables();
  const std::uint64_t everything = (std::uint64_t{1} << n) - 1;
  std::vector<double> best(everything + 1, -std::numeric_limits<double>::infinity());
  best[everything] = 0;
  for (std::uint64_t placed = everything; placed-- > 0;) {
    for (std::size_t v = 0; v < n; ++v) {
      if ((placed >> v & 1) != 0) continue;
      const std::size_t k = lists.best(v, placed);
      if (k == lists.size(v)) continue;
      const double after = best[placed | std::uint64_t{1} << v];
      best[placed] = std::max(best[placed], lists.scores(v)[k] + after);
    }
  }
  return best;
}

// Whether the families chosen form a network, by removing variables all of whose parents are gone.
inline bool is_acyclic(const credenet::ComponentLists& lists,
                       std::span<const std::int32_t> families) {
  std::uint64_t placed = 0;
  for (std::size_t round = 0; round < families.size(); ++round) {
    for (std::size_t v = 0; v < families.size(); ++v) {
      const std::uint64_t parents = lists.parents(v)[static_cast<std::size_t>(families[v])];
      if ((parents & ~placed) == 0) placed |= std::uint64_t{1} << v;
    }
  }
  return static_cast<std::size_t>(std::popcount(placed)) == families.size();
}

inline double score_of(const credenet::ComponentLists& lists,
                       std::span<const std::int32_t> families) {
  double score = 0;
  for (std::size_t v = 0; v < families.size(); ++v) {
    score += lists.scores(v)[static_cast<std::size_t>(families[v])];
  }
  return score;
}

// All variables of the lists as one component.
inline credenet::ComponentLists whole(const credenet::FamilyLists& lists) {
  std::vector<std::int32_t> members(lists.n_variables());
  std::iota(members.begin(), members.end(), 0);
  return {lists, members};
}
