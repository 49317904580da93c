#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "credenet/util/random.hpp"
#include "families/bit_lists.hpp"

// Lists of families drawn at random, best first; every variable has the empty set unless asked
// otherwise. Scores are negative, with ties now and then.
struct RandomLists : BitLists {
  RandomLists(credenet::Random& random, std::size_t n_variables, std::size_t most_families,
              std::size_t most_parents, bool with_empty = true) {
    for (std::size_t variable = 0; variable < n_variables; ++variable) {
      std::set<std::vector<std::int32_t>> sets;
      if (with_empty) sets.insert(std::vector<std::int32_t>{});
      const std::size_t n_families = random.below(most_families + 1);
      for (std::size_t k = 0; k < n_families && n_variables > 1; ++k) {
        std::set<std::int32_t> drawn;
        const std::size_t size = 1 + random.below(std::min(most_parents, n_variables - 1));
        while (drawn.size() < size) {
          const std::size_t parent = random.below(n_variables);
          if (parent != variable) drawn.insert(static_cast<std::int32_t>(parent));
        }
        sets.insert({drawn.begin(), drawn.end()});
      }
      std::vector<std::pair<double, std::vector<std::int32_t>>> families;
      for (const auto& members : sets) {
        const double gain = static_cast<double>(members.size()) * 3;
        families.emplace_back(gain - 10 - static_cast<double>(random.below(200)) / 10, members);
      }
      std::ranges::stable_sort(families, [](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first > b.first;
        return a.second.size() < b.second.size();
      });
      for (const auto& [score, members] : families) add_family(score, members);
      end_variable();
    }
  }
};

// Lists in which every variable needs parents, but for the first, which has none.
struct RootedLists : BitLists {
  RootedLists(credenet::Random& random, std::size_t n_variables, std::size_t most_families,
              std::size_t most_parents) {
    const RandomLists drawn(random, n_variables, most_families, most_parents, false);
    const credenet::FamilyLists all = drawn.view();
    add_family(-1.0, 0);
    end_variable();
    for (std::size_t v = 1; v < n_variables; ++v) {
      for (std::size_t family = all.begin(v); family < all.end(v); ++family) {
        add_family(all.scores[family], all.parents_of(family));
      }
      end_variable();
    }
  }
};
