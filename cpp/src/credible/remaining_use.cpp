#include "credenet/credible/remaining_use.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credenet {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

}  // namespace

// The members of a row: those that are members here by their places, and the others. Parents among
// the others are always available.
struct RemainingUse::Members {
  std::vector<std::size_t> places;  // Places among the members here.
  std::vector<std::size_t> variables;
  std::vector<std::size_t> others;
};

RemainingUse::RemainingUse(const FamilyRows& rows, std::span<const std::int32_t> numbers,
                           std::span<const double> multipliers, std::span<const std::uint8_t> alive,
                           std::span<const std::int32_t> members)
    : is_used_(numbers.size()), steps_of_(members.size()) {
  std::vector<std::int32_t> place_of(rows.n_variables(), -1);
  for (std::size_t at = 0; at < members.size(); ++at) {
    place_of[static_cast<std::size_t>(members[at])] = static_cast<std::int32_t>(at);
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto number = static_cast<std::size_t>(numbers[k]);
    const Cut* cut = rows.cut(number);
    if (cut == nullptr || !(multipliers[k] > 0)) continue;
    Members own;
    for (const std::int32_t member : cut->members) {
      const auto variable = static_cast<std::size_t>(member);
      if (place_of[variable] < 0) {
        own.others.push_back(variable);
      } else {
        own.places.push_back(static_cast<std::size_t>(place_of[variable]));
        own.variables.push_back(variable);
      }
    }
    if (own.variables.size() <= kFewMembers) {
      add_small(rows, rows.row(number), multipliers[k], alive, own);
    } else if (cut->kind >= 1) {
      add_cluster(*cut, rows.row(number).limit < 0, multipliers[k], own);
    } else {
      continue;
    }
    is_used_[k] = true;
  }
}

// With w members in the set and m others, the next k - w - m members of a k-cluster have fewer than
// k parents among them. The row counts either those with fewer, each as -1, or the rest.
void RemainingUse::add_cluster(const Cut& cut, bool counts_fewer, double multiplier,
                               const Members& own) {
  const std::size_t n = own.variables.size();
  std::vector<double> table(n + 1);
  for (std::size_t in_set = 0; in_set <= n; ++in_set) {
    const auto available = static_cast<double>(in_set + own.others.size());
    const double fewer = std::max(static_cast<double>(cut.kind) - available, 0.0);
    const auto rest = static_cast<double>(n - in_set + own.others.size());
    table[in_set] = counts_fewer ? -fewer : rest - std::min(fewer, rest);
  }
  add(std::move(table), multiplier, own, true);
}

// The members are placed in the order that uses most.
void RemainingUse::add_small(const FamilyRows& rows, const Row& row, double multiplier,
                             std::span<const std::uint8_t> alive, const Members& own) {
  const FamilyLists& lists = rows.lists();
  const std::size_t n = own.variables.size();
  const std::size_t n_sets = std::size_t{1} << n;
  std::vector<std::size_t> bit_of(rows.n_variables(), 0);
  for (std::size_t at = 0; at < n; ++at) bit_of[own.variables[at]] = std::size_t{1} << at;
  const auto coefficient = [&](std::size_t family) {
    const auto at = std::ranges::lower_bound(row.families, static_cast<std::int32_t>(family));
    if (at == row.families.end() || static_cast<std::size_t>(*at) != family) return 0.0;
    return static_cast<double>(
        row.coefficients[static_cast<std::size_t>(at - row.families.begin())]);
  };
  double others = 0;
  for (const std::size_t variable : own.others) {
    double most = kImpossible;
    for (std::size_t f = lists.begin(variable); f < lists.end(variable); ++f) {
      if (alive[f] != 0) most = std::max(most, coefficient(f));
    }
    others += most;
  }
  // Use of each member, by the set of its parents.
  std::vector<double> use(n * n_sets, kImpossible);
  for (std::size_t at = 0; at < n; ++at) {
    double* own_use = use.data() + at * n_sets;
    const std::size_t variable = own.variables[at];
    for (std::size_t f = lists.begin(variable); f < lists.end(variable); ++f) {
      if (alive[f] == 0) continue;
      std::size_t set = 0;
      for (const std::int32_t parent : lists.parents_of(f)) {
        set |= bit_of[static_cast<std::size_t>(parent)];
      }
      own_use[set] = std::max(own_use[set], coefficient(f));
    }
    for (std::size_t bit = 1; bit < n_sets; bit *= 2) {
      for (std::size_t set = 0; set < n_sets; ++set) {
        if ((set & bit) != 0) own_use[set] = std::max(own_use[set], own_use[set ^ bit]);
      }
    }
  }
  std::vector<double> table(n_sets, kImpossible);
  table[n_sets - 1] = others;
  for (std::size_t set = n_sets - 1; set-- > 0;) {
    for (std::size_t at = 0; at < n; ++at) {
      const std::size_t bit = std::size_t{1} << at;
      if ((set & bit) != 0) continue;
      table[set] = std::max(table[set], use[at * n_sets + set] + table[set | bit]);
    }
  }
  add(std::move(table), multiplier, own, false);
}

void RemainingUse::add(std::vector<double> table, double multiplier, const Members& own,
                       bool is_counted) {
  const auto row = static_cast<std::uint32_t>(first_.size());
  for (std::size_t at = 0; at < own.places.size(); ++at) {
    steps_of_[own.places[at]].push_back({row, is_counted ? 1U : std::uint32_t{1} << at});
  }
  double most = 0;
  for (double& use : table) {
    use *= multiplier;
    if (std::isfinite(use)) most = std::max(most, std::abs(use));
  }
  magnitude_ += most;
  first_.push_back(tables_.size());
  tables_.insert(tables_.end(), table.begin(), table.end());
}

void RemainingUse::locate(std::uint64_t set, std::span<std::uint32_t> places) const {
  std::ranges::fill(places, 0U);
  for (std::size_t member = 0; member < steps_of_.size(); ++member) {
    if ((set >> member & 1) == 0) continue;
    for (const Step step : steps_of_[member]) places[step.row] += step.size;
  }
}

double RemainingUse::sum(std::span<const std::uint32_t> places) const {
  double sum = 0;
  for (std::size_t row = 0; row < first_.size(); ++row) sum += tables_[first_[row] + places[row]];
  return sum;
}

double RemainingUse::fall(std::span<const std::uint32_t> places, std::size_t member) const {
  double fall = 0;
  for (const Step step : steps_of_[member]) {
    const double* table = tables_.data() + first_[step.row] + places[step.row];
    fall += table[0] - table[step.size];
  }
  return fall;
}

}  // namespace credenet
