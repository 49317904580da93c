#include "credenet/ilp/family_rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "credenet/ilp/local_cut.hpp"
#include "credenet/ilp/small_facets.hpp"

namespace credenet {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon();  // Twice the rounding unit.

std::size_t bytes_of(const Row& row) {
  return sizeof(Row) + row.families.size() * (sizeof(std::int32_t) + sizeof(float)) + 128;
}

// A sum that is wrong by no more than a few units of the sum of magnitudes, however many terms.
class Sum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    rest_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
    magnitude_ += std::abs(term);
  }
  [[nodiscard]] double above() const { return sum_ + rest_ + 4 * kUnit * magnitude_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
  double magnitude_ = 0;
};

}  // namespace

std::int32_t FamilyRows::add(const Cut& cut) {
  const auto next = static_cast<std::int32_t>(rows_.size());
  const auto [place, is_new] = numbers_.try_emplace(cut, next);
  if (!is_new) return place->second;
  const std::int32_t number = add(write(cut));
  cuts_.back() = place;
  return number;
}

std::int32_t FamilyRows::add(Row row) {
  assert(row.families.size() == row.coefficients.size());
  bytes_ += bytes_of(row);
  rows_.push_back(std::move(row));
  cuts_.push_back(numbers_.end());
  return static_cast<std::int32_t>(rows_.size() - 1);
}

void FamilyRows::drop(std::size_t number) {
  bytes_ -= bytes_of(rows_[number]);
  if (cuts_[number] != numbers_.end()) numbers_.erase(cuts_[number]);
  cuts_[number] = numbers_.end();
  rows_[number] = {{}, {}, std::numeric_limits<double>::infinity()};
  bytes_ += bytes_of(rows_[number]);
}

// A k-cluster inequality has two forms, which differ by the members' equations (each has one
// family): over families with at least k parents among the members, or over those with fewer. The
// form with fewer terms is written.
Row FamilyRows::write(const Cut& cut) const {
  if (cut.kind == 0) return local_row(lists_, cut);
  const FamilyLists& all = lists_;
  std::vector<std::int32_t> place(n_variables(), -1);
  for (std::size_t at = 0; at < cut.members.size(); ++at) {
    place[static_cast<std::size_t>(cut.members[at])] = static_cast<std::int32_t>(at);
  }
  std::vector<std::int32_t> ascending = cut.members;
  std::ranges::sort(ascending);
  Row row;
  if (cut.kind < 0) {
    const Facet& facet = small_facets()[static_cast<std::size_t>(-1 - cut.kind)];
    row.limit = facet.limit;
    for (const std::int32_t member : ascending) {
      const auto variable = static_cast<std::size_t>(member);
      const auto& weights = facet.weights[static_cast<std::size_t>(place[variable])];
      for (std::size_t family = all.begin(variable); family < all.end(variable); ++family) {
        std::size_t mask = 0;
        for (const std::int32_t parent : all.parents_of(family)) {
          const std::int32_t at = place[static_cast<std::size_t>(parent)];
          if (at >= 0) mask |= std::size_t{1} << at;
        }
        if (weights[mask] == 0) continue;
        row.families.push_back(static_cast<std::int32_t>(family));
        row.coefficients.push_back(weights[mask]);
      }
    }
    return row;
  }
  std::vector<std::int32_t> fewer;
  for (const std::int32_t member : ascending) {
    const auto variable = static_cast<std::size_t>(member);
    for (std::size_t family = all.begin(variable); family < all.end(variable); ++family) {
      const auto inside = std::ranges::count_if(all.parents_of(family), [&](std::int32_t parent) {
        return place[static_cast<std::size_t>(parent)] >= 0;
      });
      (inside < cut.kind ? fewer : row.families).push_back(static_cast<std::int32_t>(family));
    }
  }
  if (fewer.size() < row.families.size()) {
    row.families = std::move(fewer);
    row.coefficients.assign(row.families.size(), -1.0F);
    row.limit = -static_cast<double>(cut.kind);
  } else {
    row.coefficients.assign(row.families.size(), 1.0F);
    row.limit = static_cast<double>(cut.members.size()) - static_cast<double>(cut.kind);
  }
  return row;
}

// The value of a family is a sum of its score and one product for each row that it is in. With m
// products the computed sum is off by at most (m + 2) units of the sum of magnitudes.
RowBound FamilyRows::bound(std::span<const std::int32_t> numbers,
                           std::span<const double> multipliers,
                           std::span<const std::uint8_t> alive) const {
  assert(numbers.size() == multipliers.size() && alive.size() == n_families());
  std::vector<double> value(lists_.scores.begin(), lists_.scores.end());
  std::vector<double> magnitude(n_families());
  for (std::size_t f = 0; f < n_families(); ++f) magnitude[f] = 2 * std::abs(lists_.scores[f]);
  std::vector<std::int32_t> terms(n_families(), 2);
  Sum total;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const Row& row = rows_[static_cast<std::size_t>(numbers[k])];
    const double multiplier = multipliers[k];
    assert(multiplier >= 0);
    if (multiplier == 0) continue;
    for (std::size_t at = 0; at < row.families.size(); ++at) {
      const auto family = static_cast<std::size_t>(row.families[at]);
      const double charge = multiplier * static_cast<double>(row.coefficients[at]);
      value[family] -= charge;
      magnitude[family] += std::abs(charge);
      ++terms[family];
    }
    const double limit = multiplier * row.limit;
    total.add(limit + kUnit * std::abs(limit));
  }
  RowBound result;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  result.losses.assign(n_families(), kInfinity);
  const FamilyLists& all = lists_;
  bool is_feasible = true;
  for (std::size_t v = 0; v < n_variables(); ++v) {
    double best = -kInfinity;
    for (std::size_t f = all.begin(v); f < all.end(v); ++f) {
      if (alive[f] == 0) continue;
      value[f] += kUnit * static_cast<double>(terms[f]) * magnitude[f];
      best = std::max(best, value[f]);
    }
    for (std::size_t f = all.begin(v); f < all.end(v); ++f) {
      if (alive[f] == 0) continue;
      const double guard = kUnit * (std::abs(best) + std::abs(value[f]));
      result.losses[f] = std::max(0.0, best - value[f] - guard);
    }
    if (best == -kInfinity) is_feasible = false;
    if (is_feasible) total.add(best);
  }
  result.bound = is_feasible ? total.above() : -kInfinity;
  return result;
}

RowMatrix FamilyRows::matrix(std::span<const std::int32_t> numbers,
                             std::span<const std::int32_t> column_of) const {
  assert(column_of.size() == n_families());
  RowMatrix result;
  for (const std::int32_t number : numbers) {
    const Row& row = rows_[static_cast<std::size_t>(number)];
    result.starts.push_back(static_cast<std::int32_t>(result.columns.size()));
    result.limits.push_back(row.limit);
    for (std::size_t at = 0; at < row.families.size(); ++at) {
      const std::int32_t column = column_of[static_cast<std::size_t>(row.families[at])];
      if (column < 0) continue;
      result.columns.push_back(column);
      result.coefficients.push_back(static_cast<double>(row.coefficients[at]));
    }
  }
  return result;
}

std::vector<double> FamilyRows::violations(std::span<const double> x) const {
  std::vector<double> result;
  result.reserve(rows_.size());
  for (const Row& row : rows_) {
    double activity = 0;
    for (std::size_t at = 0; at < row.families.size(); ++at) {
      activity +=
          static_cast<double>(row.coefficients[at]) * x[static_cast<std::size_t>(row.families[at])];
    }
    result.push_back(activity - row.limit);
  }
  return result;
}

}  // namespace credenet
