#include "credenet/families/score_families.hpp"

#include <math.h>  // lgamma_r

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "check.hpp"
#include "credenet/scores/count_function.hpp"
#include "credenet/util/chi_square.hpp"
#include "families/family_helpers.hpp"
#include "small_data.hpp"

using credenet::ChildFamilies;
using credenet::ChildRules;
using credenet::Families;
using credenet::FamilyOptions;
using credenet::NoControl;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::score_families;
using credenet::ScoreSettings;
using credenet::Status;

namespace {

using Data = SmallData<std::uint8_t>;

double log_rising(double base, double count) {
  int sign = 0;
  return ::lgamma_r(base + count, &sign) - ::lgamma_r(base, &sign);
}

constexpr double kAlpha = 0.9;

// The probability of a joint state under a prior network without edges.
double prior_probability(std::span<const std::uint16_t> variables,
                         const std::vector<std::int32_t>& n_states,
                         std::span<const std::size_t> cell) {
  double product = 1;
  for (std::size_t at = 0; at < variables.size(); ++at) {
    const auto n = static_cast<double>(n_states[variables[at]]);
    product *= 2 * (static_cast<double>(cell[at]) + 1) / (n * (n + 1));
  }
  return product;
}

ScoreSettings settings_of(const Score* kind, const std::vector<std::int32_t>& n_states) {
  ScoreSettings settings{kind, kEss, n_states, kAlpha};
  settings.prior = [&n_states](std::span<const std::uint16_t> variables,
                               std::span<double> probabilities) {
    std::vector<std::size_t> cell(variables.size(), 0);
    for (double& probability : probabilities) {
      probability = prior_probability(variables, n_states, cell);
      for (std::size_t at = cell.size(); at-- > 0;) {
        if (++cell[at] < static_cast<std::size_t>(n_states[variables[at]])) break;
        cell[at] = 0;
      }
    }
  };
  return settings;
}

// The sum of the quantiles of the parents, the one with most states first.
double chance(double states, const Variables& parents, const std::vector<std::int32_t>& n_states) {
  std::vector<double> sizes;
  for (const std::uint16_t parent : parents) sizes.push_back(n_states[parent]);
  std::ranges::sort(sizes, std::greater{});
  double sum = 0;
  double before = 1;
  for (const double size : sizes) {
    sum += credenet::chi_square_quantile(kAlpha, (states - 1) * (size - 1) * before);
    before *= size;
  }
  return sum;
}

// A family's score by its formula, from counts of its own.
double single_score(const Data& data, const std::vector<std::int32_t>& n_states, const Score* kind,
                    std::uint16_t child, const Variables& parents) {
  Variables family = parents;
  family.push_back(child);
  const auto n_ijk = data.counts(family);
  const auto n_ij = data.counts(parents);
  double total = 0;
  for (std::size_t row = 0; row < data.n_rows; ++row) total += data.weight(row);
  const double r = n_states[child];
  double q = 1;
  for (const std::uint16_t parent : parents) q *= n_states[parent];

  double pseudo = 0;  // Dirichlet parameter of a cell; its parent state has r of them.
  if (kind == &credenet::scores::bdeu) pseudo = kEss / (r * q);
  if (kind == &credenet::scores::bds) pseudo = kEss / (r * static_cast<double>(n_ij.size()));
  if (kind == &credenet::scores::k2) pseudo = 1;
  if (kind == &credenet::scores::jeffreys) pseudo = 0.5;
  if (pseudo > 0) {
    double score = 0;
    for (const auto& [cell, count] : n_ijk) score += log_rising(pseudo, count);
    for (const auto& [cell, count] : n_ij) score -= log_rising(r * pseudo, count);
    return score;
  }
  double score = 0;
  if (kind == &credenet::scores::bde) {
    for (const auto& [cell, count] : n_ijk) {
      score += log_rising(kEss * prior_probability(family, n_states, cell), count);
    }
    for (const auto& [cell, count] : n_ij) {
      score -= log_rising(kEss * prior_probability(parents, n_states, cell), count);
    }
    return score;
  }
  for (const auto& [cell, count] : n_ijk) {
    score += count * std::log(count / n_ij.at({cell.begin(), cell.end() - 1}));
  }
  const double parameters = (r - 1) * q;
  if (kind == &credenet::scores::bic) return score - std::log(total) / 2 * parameters;
  if (kind == &credenet::scores::aic) return score - parameters;
  if (kind == &credenet::scores::mdl) {
    return score - std::log(total) / 2 * parameters -
           static_cast<double>(parents.size()) * std::log(static_cast<double>(n_states.size()));
  }
  if (kind == &credenet::scores::fnml) {
    for (const auto& [cell, count] : n_ij) score -= credenet::log_regret(r, count);
  }
  if (kind == &credenet::scores::qnml) {
    return score - credenet::log_regret(r * q, total) + credenet::log_regret(q, total);
  }
  if (kind == &credenet::scores::mit) {
    for (const auto& [cell, count] : data.counts(Variables{child})) {
      score -= count * std::log(count / total);
    }
    return 2 * score - chance(r, parents, n_states);
  }
  return score;
}

bool is_allowed(const ChildRules& rules, const Variables& parents) {
  if (parents.size() > rules.max_parents || !std::ranges::includes(parents, rules.required)) {
    return false;
  }
  return std::ranges::all_of(parents, [&](std::uint16_t parent) {
    return std::ranges::binary_search(rules.required, parent) ||
           std::ranges::binary_search(rules.candidates, parent);
  });
}

// After a stop, a set that is allowed but not among the families scores at most the best of its
// subsets there plus the gain. It also scores at most the larger of that best score and the bound.
void check_unscored(const Families& stopped, const std::vector<Scores>& all, double slack) {
  if (stopped.status == Status::kComplete) return;
  CHECK(stopped.unscored.size() == all.size());
  for (std::size_t child = 0; child < all.size(); ++child) {
    const Scores kept = scores_of(stopped.children[child]);
    const credenet::UnscoredSets& unscored = stopped.unscored[child];
    for (const auto& [parents, score] : all[child]) {
      if (kept.contains(parents)) continue;
      double best = -std::numeric_limits<double>::infinity();
      for (const auto& [subset, subset_score] : kept) {
        if (std::ranges::includes(parents, subset)) best = std::max(best, subset_score);
      }
      CHECK(std::isinf(unscored.gain) || score <= best + unscored.gain + 1e-8);
      CHECK(score <= std::max(best + slack, unscored.bound) + 1e-8);
    }
  }
}

// Checks the families with at most most_added parents beyond the required ones, and that there is
// no bound without need.
void check_first_levels(const Families& some, const Families& whole,
                        const std::vector<ChildRules>& rules, std::size_t most_added) {
  CHECK(some.status == (some.unscored.empty() ? Status::kComplete : Status::kIterationLimit));
  CHECK(some.n_levels <= most_added + 1);
  if (some.status == Status::kComplete) CHECK(same(some, whole));
  for (std::size_t child = 0; child < rules.size(); ++child) {
    Scores expected = scores_of(whole.children[child]);
    std::erase_if(expected, [&](const auto& family) {
      return family.first.size() > rules[child].required.size() + most_added;
    });
    CHECK(scores_of(some.children[child]) == expected);
  }
}

// Checks few enough variables for every subset. Without pruning all families are there; with
// pruning, those that no family with fewer parents beats by more than the slack.
void check_families(const Data& data, const std::vector<std::int32_t>& n_states, const Score* kind,
                    const std::vector<ChildRules>& rules) {
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, data.weights);
  const ScoreSettings settings = settings_of(kind, n_states);
  NoControl no_control;
  const auto run = [&](bool prune, double slack, unsigned n_threads) {
    FamilyOptions options;
    options.prune = prune;
    options.slack = slack;
    options.n_threads = n_threads;
    const Families families = score_families(table, settings, rules, options, no_control);
    CHECK(families.status == Status::kComplete);
    CHECK(families.children.size() == rules.size());
    return families;
  };
  const Families all = run(false, 0, 1);
  CHECK(same(all, run(false, 0, 4)));
  std::vector<Scores> expected(rules.size());
  std::uint64_t n_evaluated = 0;
  for (std::uint16_t child = 0; child < rules.size(); ++child) {
    const Scores scores = scores_of(all.children[child]);
    std::size_t n_allowed = 0;
    for (unsigned bits = 0; bits < 1U << rules.size(); ++bits) {
      Variables parents;
      for (std::uint16_t parent = 0; parent < rules.size(); ++parent) {
        if ((bits >> parent & 1) != 0) parents.push_back(parent);
      }
      if (!is_allowed(rules[child], parents)) continue;
      ++n_evaluated;
      const double prior = rules[child].log_prior(parents);
      if (prior == -std::numeric_limits<double>::infinity()) {
        CHECK(!scores.contains(parents));
        continue;
      }
      ++n_allowed;
      const double score = single_score(data, n_states, kind, child, parents) + prior;
      CHECK(std::abs(scores.at(parents) - score) < 1e-8 * std::max(1.0, std::abs(score)));
    }
    CHECK(scores.size() == n_allowed);
    expected[child] = scores;
  }
  CHECK(all.n_evaluated == n_evaluated);

  for (const double slack : {0.0, 3.0}) {
    FamilyOptions limited;
    limited.slack = slack;
    // Stops fall while levels are listed, counted and judged.
    for (int n_polls = 0; n_polls < 48; n_polls += 3) {
      StopAfter control(n_polls);
      check_unscored(score_families(table, settings, rules, limited, control), expected, slack);
    }
    for (int doublings = 0; doublings < 8; ++doublings) {
      limited.max_bytes = std::size_t{1000} << doublings;
      check_unscored(score_families(table, settings, rules, limited, no_control), expected, slack);
    }
    const Families pruned = run(true, slack, 1);
    CHECK(same(pruned, run(true, slack, 4)));
    CHECK(pruned.n_evaluated <= all.n_evaluated);
    for (std::size_t most_added = 0; most_added < rules.size(); ++most_added) {
      FamilyOptions options;
      options.slack = slack;
      options.most_added = most_added;
      const Families some = score_families(table, settings, rules, options, no_control);
      check_first_levels(some, pruned, rules, most_added);
      check_unscored(some, expected, slack);
    }
    for (std::size_t child = 0; child < rules.size(); ++child) {
      const Scores kept = scores_of(pruned.children[child]);
      for (const auto& [parents, score] : kept) CHECK(expected[child].at(parents) == score);
      for (const auto& [parents, score] : expected[child]) {
        double best = -std::numeric_limits<double>::infinity();
        for (const auto& [subset, subset_score] : expected[child]) {
          if (subset != parents && std::ranges::includes(parents, subset)) {
            best = std::max(best, subset_score);
          }
        }
        CHECK(kept.contains(parents) == (score >= best - (slack + FamilyOptions{}.tolerance)));
      }
    }
  }
}

// Checks enough candidates for sets that are closed to later ones, and for families whose best
// subset is not among the neighbouring sets.
void check_eight_variables(Random& random) {
  constexpr std::size_t kVariables = 8;
  for (int repeat = 0; repeat < 6; ++repeat) {
    Data data(repeat % 2 == 0 ? 30 : 120, kVariables, 2, 0.4 + 0.1 * repeat, random);
    if (repeat % 3 == 2) data.draw_weights(random);
    std::vector<std::int32_t> n_states(kVariables, 2);
    n_states[3] = 4;
    for (const Score* kind : {&credenet::scores::bdeu, &credenet::scores::k2,
                              &credenet::scores::jeffreys, &credenet::scores::bds}) {
      check_families(data, n_states, kind, free_rules(kVariables, kVariables - 1));
      check_families(data, n_states, kind, rules_of_all_kinds(kVariables));
    }
  }
}

void check_required_parents(Random& random) {
  const Data data(200, 6, 2, 0.6, random);
  const std::vector<std::int32_t> n_states(6, 2);
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, {});
  std::vector<ChildRules> rules = free_rules(6, 3);
  rules[5].required = {0, 2};
  rules[5].candidates = {1, 3, 4};
  // The required parents are more than max_parents, so the variable has no family at all.
  rules[1].required = {0, 2, 3, 4};
  rules[1].candidates = {};
  NoControl no_control;
  const Families families =
      score_families(table, {&credenet::scores::bic, kEss, n_states}, rules, {}, no_control);
  CHECK(families.status == Status::kComplete);
  CHECK(!families.children[5].scores.empty());
  for (const auto& [parents, score] : scores_of(families.children[5])) {
    CHECK(std::ranges::includes(parents, rules[5].required));
  }
  CHECK(families.children[1].scores.empty());
}

// Checks that what was judged before the end is there, in whole levels.
void check_limits(Random& random) {
  const Data data(100, 20, 2, 0.6, random);
  const std::vector<std::int32_t> n_states(20, 2);
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, {});
  const ScoreSettings settings{&credenet::scores::bdeu, kEss, n_states};
  const std::vector<ChildRules> rules = free_rules(20, 3);
  FamilyOptions options;
  options.prune = false;
  NoControl no_control;
  const Families all = score_families(table, settings, rules, options, no_control);
  CHECK(all.status == Status::kComplete);
  CHECK(all.n_evaluated == 20 * (1 + 19 + 171 + 969));

  const auto check_beginning = [&](const Families& families, std::size_t n_families) {
    for (std::size_t child = 0; child < rules.size(); ++child) {
      const std::vector<double>& scores = families.children[child].scores;
      CHECK(scores.size() == n_families);
      CHECK(std::equal(scores.begin(), scores.end(), all.children[child].scores.begin()));
    }
  };
  // Families of each child by number of levels.
  const std::vector<std::size_t> by_level{0, 1, 20, 191, 1160};
  std::size_t most_levels = 0;
  for (int n_polls = 0; most_levels < 3; ++n_polls) {
    StopAfter control(n_polls);
    const Families stopped = score_families(table, settings, rules, options, control);
    CHECK(stopped.status == Status::kStopped);
    check_beginning(stopped, by_level[stopped.n_levels]);
    most_levels = std::max(most_levels, stopped.n_levels);
  }

  options.max_bytes = 1000;  // This is too little for 20 families and 21 sets.
  Families limited = score_families(table, settings, rules, options, no_control);
  CHECK(limited.status == Status::kMemoryLimit);
  check_beginning(limited, 0);
  // This is enough for the 380 families of one parent, not for 3,420 of two.
  options.max_bytes = 150'000;
  limited = score_families(table, settings, rules, options, no_control);
  CHECK(limited.status == Status::kMemoryLimit);
  check_beginning(limited, 1 + 19);
  CHECK(limited.n_evaluated == 20 * (1 + 19));
  options.max_bytes = 1'000'000'000;
  CHECK(same(all, score_families(table, settings, rules, options, no_control)));

  // With bounds, each child alone fits where all children together do not.
  options.prune = true;
  const Families pruned = score_families(table, settings, rules, options, no_control);
  options.max_bytes = 2'000'000;
  options.prune = false;
  CHECK(score_families(table, settings, rules, options, no_control).status == Status::kMemoryLimit);
  options.prune = true;
  limited = score_families(table, settings, rules, options, no_control);
  CHECK(limited.status == Status::kComplete && limited.n_levels == pruned.n_levels);
  for (std::size_t child = 0; child < rules.size(); ++child) {
    CHECK(scores_of(limited.children[child]) == scores_of(pruned.children[child]));
  }
}

void check_many_variables(std::size_t n_variables, Random& random) {
  const Data data(40, n_variables, 3, 0.5, random);
  const std::vector<std::int32_t> n_states(n_variables, 3);
  const RowTable table(data.codes.data(), data.n_rows, data.n_variables, {});
  FamilyOptions options;
  options.prune = false;
  options.n_threads = 2;
  NoControl no_control;
  const Families families = score_families(table, {&credenet::scores::bdeu, kEss, n_states},
                                           free_rules(n_variables, 1), options, no_control);
  CHECK(families.status == Status::kComplete);
  CHECK(families.n_evaluated == n_variables * n_variables);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const auto child =
        static_cast<std::uint16_t>(repeat == 0 ? n_variables - 1 : random.below(n_variables));
    const Scores scores = scores_of(families.children[child]);
    CHECK(scores.size() == n_variables);
    for (const auto& [parents, score] : scores) {
      const double expected = single_score(data, n_states, &credenet::scores::bdeu, child, parents);
      CHECK(std::abs(score - expected) < 1e-9 * std::max(1.0, std::abs(expected)));
    }
  }
}

}  // namespace

int main() {
  Random random(1);
  check_five_variables(random, kKinds, check_families);
  constexpr const Score* kLevelsOnly[] = {&credenet::scores::bde, &credenet::scores::mit};
  check_five_variables(random, kLevelsOnly, check_families);
  check_eight_variables(random);
  check_required_parents(random);
  check_limits(random);
  for (const std::size_t n_variables : {64, 65, 70, 128, 130, 257}) {
    check_many_variables(n_variables, random);
  }
  return 0;
}
