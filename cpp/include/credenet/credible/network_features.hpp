#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// The weight of each path, summed over networks that come one by one.
class PathSums {
 public:
  explicit PathSums(std::size_t n_variables);

  // A network by its families, one of each variable, as positions in the lists.
  void add(const FamilyLists& lists, std::span<const std::int64_t> families, double weight);

  // At b * n_variables + a: the weight of networks in which a path leads from a to b.
  [[nodiscard]] const std::vector<double>& sums() const { return sums_; }

 private:
  void find_order(const FamilyLists& lists, std::span<const std::int64_t> families);

  std::size_t n_variables_;
  std::size_t n_words_;
  std::vector<double> sums_;
  // Of the network at hand: the ancestors of each variable as bits, and the variables, parents
  // first.
  std::vector<std::uint64_t> ancestors_;
  std::vector<std::size_t> order_;
  std::vector<std::uint8_t> is_placed_;
};

// The Markov blanket of a variable in a network, ascending: parents, children and their parents.
[[nodiscard]] std::vector<std::int32_t> markov_blanket(const FamilyLists& lists,
                                                       std::span<const std::int64_t> families,
                                                       std::size_t variable);

}  // namespace credenet
