#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "check.hpp"
#include "credenet/counts/row_table.hpp"
#include "credenet/families/score_families.hpp"
#include "small_data.hpp"

constexpr double kEss = 1.5;
constexpr const credenet::Score* kKinds[] = {
    &credenet::scores::log_likelihood,
    &credenet::scores::bic,
    &credenet::scores::aic,
    &credenet::scores::mdl,
    &credenet::scores::bdeu,
    &credenet::scores::k2,
    &credenet::scores::bds,
    &credenet::scores::fnml,
    &credenet::scores::qnml,
    &credenet::scores::jeffreys,
};

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
    rules[child].log_factors = credenet::SizeFactors(std::vector<double>(max_parents + 1));
  }
  return rules;
}

// Rules of all kinds: at most five parents; some numbers of them are much less probable than
// others, variable 2 must have the parent 5, and an expert names the parents of variable 6.
inline std::vector<credenet::ChildRules> rules_of_all_kinds(std::size_t n_variables) {
  std::vector<credenet::ChildRules> rules = free_rules(n_variables, 5);
  for (credenet::ChildRules& of_child : rules) of_child.log_factors = {0, -1, -4, -4, -2, 1};
  std::erase(rules[2].candidates, 5);
  rules[2].required = {5};
  rules[6].log_kappa = -3;
  rules[6].expert = {1, 4};
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

// Calls check(data, n_states, kind, rules) for every score, with and without weights, with rules of
// all kinds. Few rows, little weight and a strong prior make bounds bite.
template <typename Check>
void check_five_variables(credenet::Random& random, std::span<const credenet::Score* const> kinds,
                          Check&& check) {
  using credenet::ChildRules;
  constexpr std::size_t kVariables = 5;
  const double impossible = -std::numeric_limits<double>::infinity();
  for (const double weight : {0.0, 1.0, 0.05}) {
    for (const std::size_t n_rows : {12, 40, 150}) {
      SmallData<std::uint8_t> data(n_rows, kVariables, 3, 0.8, random);
      if (weight > 0) data.draw_weights(random);
      for (double& of_row : data.weights) of_row *= weight;
      const std::vector<std::int32_t> n_states{3, 3, 4, 3, 5};
      for (const credenet::Score* kind : kinds) {
        check(data, n_states, kind, free_rules(kVariables, kVariables - 1));
        check(data, n_states, kind, free_rules(kVariables, 2));

        std::vector<ChildRules> required = free_rules(kVariables, 3);
        required[0].required = {2, 4};
        required[0].candidates = {1, 3};
        // The required parents are more than max_parents, so the variable has no family at all.
        required[1].required = {0, 2, 3, 4};
        required[1].candidates = {};
        required[2].required = {3};
        required[2].candidates = {0};
        required[4].candidates = {};
        check(data, n_states, kind, required);

        for (const double log_kappa : {-20.0, -2.0, 0.7, 9.0}) {
          std::vector<ChildRules> prior = free_rules(kVariables, 4);
          for (ChildRules& rules : prior) {
            rules.log_kappa = log_kappa;
            rules.log_factors = {-1, -4, -0.5, -3, impossible};
          }
          prior[1].expert = {0, 3};
          prior[3].expert = {4};
          prior[4].log_factors = {impossible, -2, -1, 0, 1};
          check(data, n_states, kind, prior);
        }
      }
    }
  }
}

// Sets that were left out score no more than the bounds on what was not scored say.
inline void check_unscored(const credenet::Families& found, const credenet::Families& all) {
  for (std::size_t child = 0; child < all.children.size(); ++child) {
    const Scores kept = scores_of(found.children[child]);
    for (const auto& [parents, score] : scores_of(all.children[child])) {
      if (kept.contains(parents)) continue;
      double best = -std::numeric_limits<double>::infinity();
      for (const auto& [subset, other] : kept) {
        if (std::ranges::includes(parents, subset)) best = std::max(best, other);
      }
      // The gain is over nothing if no subset was scored.
      const double gain = found.unscored[child].gain;
      CHECK(std::isinf(best) ? std::isinf(gain) : score <= best + gain + 1e-8);
      CHECK(score <= std::max(best, found.unscored[child].bound) + 1e-8);
    }
  }
}
