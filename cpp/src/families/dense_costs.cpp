#include "credenet/families/dense_costs.hpp"

#include <algorithm>

namespace credenet {
namespace {

// Limits for Dirichlet scores, whose large sets have tighter bounds elsewhere (LargeSetScoring).
// All levels are dense up to kFewParents parents if they visit at most kMostVisited rows; otherwise
// those up to kLastLevel that visit at most kMostOfLevel.
constexpr std::size_t kFewParents = 7;
constexpr double kMostVisited = 3e10;
constexpr std::size_t kLastLevel = 5;
constexpr double kMostOfLevel = 4e9;
// Rows that take as long as the rest of the work for a set.
constexpr std::size_t kRowsOfSet = 500;

}  // namespace

DenseCosts::DenseCosts(const LevelInput& input)
    : input_(input), has_prior_(std::ranges::any_of(input.rules, [](const ChildRules& of_child) {
        return of_child.log_kappa != 0 ||
               std::ranges::any_of(of_child.log_factors.values(),
                                   [](double factor) { return factor != 0; });
      })) {}

bool DenseCosts::can_score() const {
  const bool has_cost = input_.scorer.parameter_cost() > 0;
  const ScoreAbilities& able = input_.scorer.abilities();
  return input_.options.prune && able.has_dense_terms && (has_cost || able.bounds_by_occupied) &&
         std::ranges::all_of(input_.rules,
                             [](const ChildRules& of_child) { return of_child.required.empty(); });
}

double DenseCosts::n_families(std::size_t n_parents) const {
  const std::size_t n_variables = input_.rules.size();
  auto number = static_cast<double>(n_variables);
  for (std::size_t at = 1; at <= n_parents; ++at) {
    number *=
        static_cast<double>(n_variables - std::min(at, n_variables)) / static_cast<double>(at);
  }
  return number;
}

double DenseCosts::n_visited(std::size_t n_parents) const {
  const double n_sets = n_families(n_parents) / static_cast<double>(n_parents + 1);
  return n_sets * static_cast<double>(input_.source.n_rows() + kRowsOfSet);
}

double DenseCosts::n_bytes(std::size_t size) const {
  const auto n = static_cast<double>(input_.rules.size());
  const double n_tables = n * (has_prior_ ? 2 : 1) + 1;
  const double n_terms = input_.scorer.abilities().bounds_by_occupied ? 2 : 1;
  const double n_families_of_size = n_families(size);
  const double n_sets = n_families_of_size / (n - static_cast<double>(size));
  const double n_larger = n_families_of_size / static_cast<double>(size + 1);
  return sizeof(double) * (n_tables * n_sets + n_terms * n_larger);
}

bool DenseCosts::is_too_large(std::size_t n_parents) const {
  if (!input_.scorer.abilities().is_dirichlet()) return false;
  std::size_t most = 0;
  for (const ChildRules& rules : input_.rules) {
    most = std::max(most, std::min(rules.max_parents, rules.candidates.size()));
  }
  most = std::min(most, input_.options.most_added);
  double sum = 0;
  for (std::size_t size = n_parents; size <= most; ++size) sum += n_visited(size);
  if (most <= kFewParents && sum <= kMostVisited) return false;
  return n_parents > kLastLevel || n_visited(n_parents) > kMostOfLevel;
}

}  // namespace credenet
