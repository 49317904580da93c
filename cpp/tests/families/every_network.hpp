#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/util/random.hpp"
#include "families/bit_lists.hpp"
#include "families/networks_of_lists.hpp"

// Calls visit(x) for every acyclic choice of families, with x = 1 for those chosen and 0 for
// others.
template <typename Visit>
void for_each_network(const credenet::FamilyLists& lists, Visit&& visit) {
  const std::size_t n = lists.n_variables();
  for (std::size_t v = 0; v < n; ++v) {
    if (lists.begin(v) == lists.end(v)) return;
  }
  std::vector<std::int32_t> families(n, 0);
  std::vector<double> x(lists.scores.size());
  while (true) {
    if (is_acyclic(lists, families)) {
      std::ranges::fill(x, 0.0);
      for (std::size_t v = 0; v < n; ++v) {
        x[lists.begin(v) + static_cast<std::size_t>(families[v])] = 1;
      }
      visit(x);
    }
    std::size_t v = 0;
    while (v < n && lists.begin(v) + static_cast<std::size_t>(++families[v]) == lists.end(v)) {
      families[v++] = 0;
    }
    if (v == n) return;
  }
}

inline double score_of_use(const credenet::FamilyLists& lists, const std::vector<double>& x) {
  double score = 0;
  for (std::size_t f = 0; f < x.size(); ++f) score += x[f] * lists.scores[f];
  return score;
}

// One unit of every variable, over a few of its families.
inline std::vector<double> draw_solution(const credenet::FamilyLists& lists,
                                         credenet::Random& random) {
  std::vector<double> x(lists.scores.size(), 0.0);
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    double left = 1;
    while (left > 0) {
      const std::size_t family = lists.begin(v) + random.below(lists.end(v) - lists.begin(v));
      const double part = std::min(left, static_cast<double>(1 + random.below(4)) / 4);
      x[family] += part;
      left -= part;
    }
  }
  return x;
}

// All parent sets of n variables, each variable's in the order of their bits.
struct AllFamilies : BitLists {
  explicit AllFamilies(std::size_t n) {
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t set = 0; set < std::size_t{1} << n; ++set) {
        if ((set >> v & 1) == 0) add_family(-static_cast<double>(scores.size()), set);
      }
      end_variable();
    }
  }
};
