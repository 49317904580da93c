#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// The most variables of sums over all DAGs: tables have an entry for every set of variables.
constexpr std::size_t kMostSummed = 26;

constexpr std::uint32_t bit_of(std::size_t variable) { return std::uint32_t{1} << variable; }

// A set without one variable, which it does not hold, as a shorter number.
constexpr std::size_t without(std::uint32_t set, std::size_t variable) {
  const std::uint32_t below = bit_of(variable) - 1;
  return (set & below) | ((set >> 1) & ~below);
}
// The set that has this number without the variable: the inverse of without.
constexpr std::uint32_t with_gap(std::size_t place, std::size_t variable) {
  const auto set = static_cast<std::uint32_t>(place);
  const std::uint32_t below = bit_of(variable) - 1;
  return (set & below) | ((set & ~below) << 1);
}

// The parents of a listed family as bits.
[[nodiscard]] inline std::uint32_t parent_bits(const FamilyLists& lists, std::size_t family) {
  std::uint32_t bits = 0;
  for (const std::int32_t parent : lists.parents_of(family)) {
    bits |= bit_of(static_cast<std::size_t>(parent));
  }
  return bits;
}

// The log weights of all families: for each variable, one for every set of the others. Minus
// infinity where a family is not allowed.
class WeightTable {
 public:
  explicit WeightTable(std::size_t n_variables)
      : n_(n_variables),
        n_sets_(n_variables == 0 ? 0 : std::size_t{1} << (n_variables - 1)),
        log_weights_(n_ * n_sets_, -std::numeric_limits<double>::infinity()) {}
  explicit WeightTable(const FamilyLists& lists);

  [[nodiscard]] std::size_t n_variables() const { return n_; }
  // The number of sets of each variable.
  [[nodiscard]] std::size_t n_sets() const { return n_sets_; }
  // Adds a family; families with the same set are one, whose weight is the sum of theirs.
  void add(std::size_t variable, std::uint32_t set, double log_weight);
  // The weights of a variable, indexed by the number of the set without it.
  [[nodiscard]] std::span<double> of(std::size_t variable) {
    return std::span(log_weights_).subspan(variable * n_sets_, n_sets_);
  }
  [[nodiscard]] std::span<const double> of(std::size_t variable) const {
    return std::span(log_weights_).subspan(variable * n_sets_, n_sets_);
  }

 private:
  std::size_t n_;
  std::size_t n_sets_;
  std::vector<double> log_weights_;
};

}  // namespace credenet
