#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/score_families.hpp"

// Whether a set of variables, in any order, has a member.
inline bool contains(std::span<const std::uint16_t> set, std::size_t variable) {
  return std::ranges::find(set, static_cast<std::uint16_t>(variable)) != set.end();
}

// Rules that allow all parents up to a number of them; each further parent is less probable.
inline std::vector<credenet::ChildRules> falling_rules(std::size_t n, std::size_t max_parents) {
  std::vector<credenet::ChildRules> rules(n);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t other = 0; other < n; ++other) {
      if (other != v) rules[v].candidates.push_back(static_cast<std::uint16_t>(other));
    }
    rules[v].max_parents = std::min(max_parents, n - 1);
    std::vector<double> factors;
    for (std::size_t size = 0; size <= rules[v].max_parents; ++size) {
      factors.push_back(-0.3 * static_cast<double>(size * size));
    }
    rules[v].log_factors = credenet::SizeFactors(factors);
  }
  return rules;
}
