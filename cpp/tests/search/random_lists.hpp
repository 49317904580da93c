#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "credenet/search/family_lists.hpp"
#include "credenet/util/random.hpp"

// Lists of families drawn at random, best first; every variable has the empty set unless asked
// otherwise. Scores are negative, with ties now and then.
class RandomLists {
 public:
  RandomLists(credenet::Random& random, std::size_t n_variables, std::size_t most_families,
              std::size_t most_parents, bool with_empty = true) {
    for (std::size_t variable = 0; variable < n_variables; ++variable) {
      std::set<std::vector<std::int32_t>> sets;
      if (with_empty) sets.insert(std::vector<std::int32_t>{});
      const std::size_t n_families = random.below(most_families + 1);
      for (std::size_t k = 0; k < n_families && n_variables > 1; ++k) {
        std::set<std::int32_t> parents;
        const std::size_t size = 1 + random.below(std::min(most_parents, n_variables - 1));
        while (parents.size() < size) {
          const std::size_t parent = random.below(n_variables);
          if (parent != variable) parents.insert(static_cast<std::int32_t>(parent));
        }
        sets.insert({parents.begin(), parents.end()});
      }
      std::vector<std::pair<double, std::vector<std::int32_t>>> families;
      for (const auto& parents : sets) {
        const double gain = static_cast<double>(parents.size()) * 3;
        families.emplace_back(gain - 10 - static_cast<double>(random.below(200)) / 10, parents);
      }
      std::ranges::stable_sort(families, [](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first > b.first;
        return a.second.size() < b.second.size();
      });
      for (const auto& [score, parents] : families) {
        scores_.push_back(score);
        parents_.insert(parents_.end(), parents.begin(), parents.end());
        offsets_.push_back(static_cast<std::int64_t>(parents_.size()));
      }
      starts_.push_back(static_cast<std::int64_t>(scores_.size()));
    }
  }

  [[nodiscard]] credenet::FamilyLists view() const {
    return {starts_, scores_, offsets_, parents_};
  }

 private:
  std::vector<std::int64_t> starts_{0};
  std::vector<double> scores_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<std::int32_t> parents_;
};

// Lists in which every variable needs parents, but for the first, which has none.
class RootedLists {
 public:
  RootedLists(credenet::Random& random, std::size_t n_variables, std::size_t most_families,
              std::size_t most_parents)
      : drawn_(random, n_variables, most_families, most_parents, false) {
    const credenet::FamilyLists all = drawn_.view();
    for (std::size_t v = 1; v < n_variables; ++v) {
      starts_.push_back(starts_.back() + all.starts[v + 1] - all.starts[v]);
    }
    for (std::size_t family = all.end(0); family < all.scores.size(); ++family) {
      scores_.push_back(all.scores[family]);
      offsets_.push_back(all.offsets[family + 1] - all.offsets[all.end(0)]);
    }
  }

  [[nodiscard]] credenet::FamilyLists view() const {
    const credenet::FamilyLists all = drawn_.view();
    const auto skipped = static_cast<std::size_t>(all.offsets[all.end(0)]);
    return {starts_, scores_, offsets_, all.parents.subspan(skipped)};
  }

 private:
  RandomLists drawn_;
  std::vector<std::int64_t> starts_{0, 1};
  std::vector<double> scores_{-1.0};
  std::vector<std::int64_t> offsets_{0, 0};
};
