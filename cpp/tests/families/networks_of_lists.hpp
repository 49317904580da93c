#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

// Slow and obvious answers about choices of families, one for each variable.

// Whether two sums are equal but for the order of summation.
inline bool is_close(double a, double b) { return a - b < 1e-9 && b - a < 1e-9; }

// The sum of the scores, in the order of the variables.
inline double score_of(const credenet::FamilyLists& lists, std::span<const std::int32_t> families) {
  double sum = 0;
  for (std::size_t v = 0; v < families.size(); ++v) {
    sum += lists.scores[lists.begin(v) + static_cast<std::size_t>(families[v])];
  }
  return sum;
}

// Whether variables can be taken away, one without children at a time, until none is left.
inline bool is_acyclic(const credenet::FamilyLists& lists, std::span<const std::int32_t> families) {
  std::vector<bool> gone(families.size(), false);
  for (std::size_t round = 0; round < families.size(); ++round) {
    for (std::size_t v = 0; v < families.size(); ++v) {
      const auto parents = lists.parents_of(lists.begin(v) + static_cast<std::size_t>(families[v]));
      if (std::ranges::all_of(parents,
                              [&](std::int32_t p) { return gone[static_cast<std::size_t>(p)]; })) {
        gone[v] = true;
      }
    }
  }
  return std::ranges::all_of(gone, [](bool is_gone) { return is_gone; });
}

// The best score with every variable's parents before it, -infinity if one has no family.
inline double score_of_order(const credenet::FamilyLists& lists,
                             std::span<const std::int32_t> order) {
  double sum = 0;
  std::vector<bool> before(order.size(), false);
  for (const std::int32_t variable : order) {
    const auto v = static_cast<std::size_t>(variable);
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
      const auto fits = [&](std::int32_t p) { return before[static_cast<std::size_t>(p)]; };
      if (std::ranges::all_of(lists.parents_of(family), fits)) {
        best = std::max(best, lists.scores[family]);
      }
    }
    sum += best;
    before[v] = true;
  }
  return sum;
}

// The best score of all orders, -infinity if there is no network.
inline double best_score(const credenet::FamilyLists& lists) {
  std::vector<std::int32_t> order(lists.n_variables());
  std::iota(order.begin(), order.end(), 0);
  double best = -std::numeric_limits<double>::infinity();
  do {
    best = std::max(best, score_of_order(lists, order));
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}
