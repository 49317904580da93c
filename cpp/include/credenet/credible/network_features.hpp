#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/search/family_lists.hpp"

namespace credenet {

// Weights of features of networks, summed over networks that come one by one: of paths, and of
// membership in Markov blankets. Rows of n x n sums are variables.
class NetworkFeatures {
 public:
  explicit NetworkFeatures(std::size_t n_variables);

  // A network by its families, one of each variable, as positions in the lists.
  void add(const FamilyLists& lists, std::span<const std::int64_t> families, double weight);

  // At (b, a): of networks in which a path leads from a to b.
  [[nodiscard]] const std::vector<double>& paths() const { return paths_; }
  // At (a, b): of networks in which b is in the Markov blanket of a; the same at (b, a).
  [[nodiscard]] const std::vector<double>& blankets() const { return blankets_; }

 private:
  std::uint64_t* row(std::vector<std::uint64_t>& bits, std::size_t variable) {
    return bits.data() + variable * n_words_;
  }
  void find_order(const FamilyLists& lists, std::span<const std::int64_t> families);
  void sum(const std::vector<std::uint64_t>& bits, double weight, std::vector<double>& sums) const;

  std::size_t n_variables_;
  std::size_t n_words_;
  std::vector<double> paths_;
  std::vector<double> blankets_;
  // Of the network at hand: for each variable a set of others, and the variables parents first.
  std::vector<std::uint64_t> ancestors_;
  std::vector<std::uint64_t> joined_;
  std::vector<std::size_t> order_;
  std::vector<std::uint8_t> is_placed_;
};

// The Markov blanket of a variable in a network, ascending: parents, children and their parents.
[[nodiscard]] std::vector<std::int32_t> markov_blanket(const FamilyLists& lists,
                                                       std::span<const std::int64_t> families,
                                                       std::size_t variable);

}  // namespace credenet
