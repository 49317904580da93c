#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/util/control.hpp"

namespace credenet {

// The optimal adjustment sets of pairs (x, y) in many networks (Henckel, Perkovic and Maathuis
// 2022), each with the weight of the networks that have it: the parents of the variables on causal
// paths from x to y, without these variables, their descendants and x. Networks without a causal
// path from x to y add nothing to the pair.
class OptimalSetSums {
 public:
  // Takes the variables x; all other variables are y of each.
  OptimalSetSums(std::size_t n_variables, std::span<const std::int32_t> x);

  // Adds networks, given the parents of each variable as bits, n_words words each, network by
  // network. False if the control stopped it.
  [[nodiscard]] bool add(std::span<const std::uint64_t> parents, std::span<const double> weights,
                         unsigned n_threads, Control& control);

  struct Sums {
    std::vector<std::int32_t> pair;  // Pair of each set: the place of x, times n_variables, plus y.
    std::vector<double> weights;     // Weight of each set.
    std::vector<std::int64_t> member_begins;
    std::vector<std::int32_t> members;
  };
  // The sums by pair, with the sets of each pair in the order in which they were found.
  [[nodiscard]] Sums sums() const;

 private:
  struct PairSets {
    std::vector<std::uint64_t> sets;  // Sets as bits, n_words_ words each.
    std::vector<double> weights;
    std::size_t last = 0;  // Set found last; neighbouring networks often have the same set.
  };
  struct Worker {
    std::vector<std::uint64_t> causal;
    std::vector<std::uint64_t> set;
    std::vector<std::uint64_t> forbidden;
  };

  // Descendants and ancestors of each variable in one network, itself included.
  void close(std::span<const std::uint64_t> parents, std::span<std::uint64_t> above,
             std::span<std::uint64_t> below) const;
  void add_pair(std::size_t x, std::size_t y, std::span<const std::uint64_t> parents,
                std::span<const std::uint64_t> above, std::span<const std::uint64_t> below,
                double weight, Worker& worker, PairSets& found) const;
  void count(std::span<const std::uint64_t> set, double weight, PairSets& found) const;

  std::size_t n_variables_;
  std::size_t n_words_;
  std::vector<std::size_t> x_;
  std::vector<PairSets> pairs_;
  std::vector<std::uint64_t> above_;  // Ancestors in the current networks.
  std::vector<std::uint64_t> below_;
};

}  // namespace credenet
