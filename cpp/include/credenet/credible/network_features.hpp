#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "credenet/credible/network_rows.hpp"
#include "credenet/families/family_lists.hpp"

namespace credenet {

// The weight of each path, summed over networks.
class PathSums {
 public:
  explicit PathSums(std::size_t n_variables);

  void add(const FamilyLists& lists, const NetworkRows& networks, std::span<const double> weights);

  // The weights of networks in which a path leads from a to b, at b * n_variables + a.
  [[nodiscard]] const std::vector<double>& sums() const { return sums_; }

 private:
  void add_one(const FamilyLists& lists, std::span<const std::int64_t> families, double weight);
  void find_order(const FamilyLists& lists, std::span<const std::int64_t> families);

  std::size_t n_variables_;
  std::size_t n_words_;
  std::vector<double> sums_;
  // Ancestors of each variable in the current network as bits, and the variables, parents first.
  std::vector<std::uint64_t> ancestors_;
  std::vector<std::size_t> order_;
  std::vector<std::uint8_t> is_placed_;
};

// The Markov blankets of a variable (parents, children and their parents, ascending), each with
// the weight of the networks that have it.
[[nodiscard]] std::map<std::vector<std::int32_t>, double> markov_blankets(
    const FamilyLists& lists, const NetworkRows& networks, std::span<const double> weights,
    std::size_t variable);

}  // namespace credenet
