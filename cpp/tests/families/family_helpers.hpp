#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "check.hpp"
#include "credenet/families/score_families.hpp"

using Variables = std::vector<std::uint16_t>;
using Scores = std::map<Variables, double>;

class StopAfter final : public credenet::Control {
 public:
  explicit StopAfter(int n_polls) : left_(n_polls) {}
  bool poll(const credenet::Progress& progress) override {
    CHECK(progress.done <= progress.total);
    return left_-- > 0;
  }

 private:
  int left_;
};

inline std::vector<credenet::ChildRules> free_rules(std::size_t n_variables,
                                                    std::size_t max_parents) {
  std::vector<credenet::ChildRules> rules(n_variables);
  for (std::size_t child = 0; child < n_variables; ++child) {
    for (std::size_t parent = 0; parent < n_variables; ++parent) {
      if (parent != child) rules[child].candidates.push_back(static_cast<std::uint16_t>(parent));
    }
    rules[child].max_parents = max_parents;
    rules[child].log_factors.assign(max_parents + 1, 0.0);
  }
  return rules;
}

inline Scores scores_of(const credenet::ChildFamilies& families) {
  Scores scores;
  CHECK(families.offsets.size() == families.scores.size() + 1);
  for (std::size_t at = 0; at < families.scores.size(); ++at) {
    const Variables parents(families.parents.begin() + families.offsets[at],
                            families.parents.begin() + families.offsets[at + 1]);
    CHECK(std::ranges::is_sorted(parents));
    CHECK(scores.emplace(parents, families.scores[at]).second);
  }
  return scores;
}

inline bool same(const credenet::Families& a, const credenet::Families& b) {
  return std::ranges::equal(a.children, b.children,
                            [](const credenet::ChildFamilies& x, const credenet::ChildFamilies& y) {
                              return x.scores == y.scores && x.offsets == y.offsets &&
                                     x.parents == y.parents;
                            }) &&
         a.n_evaluated == b.n_evaluated && a.n_levels == b.n_levels && a.status == b.status;
}
