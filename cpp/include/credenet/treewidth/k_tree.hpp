#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/treewidth/tree_decomposition.hpp"

namespace credenet {

// Weights of the pairs of variables, such as their mutual information: row by row, symmetric, not
// negative, 0 on the diagonal.
struct PairWeights {
  std::span<const double> values;
  std::size_t n_variables = 0;

  [[nodiscard]] double operator()(std::int32_t a, std::int32_t b) const {
    return row(a)[static_cast<std::size_t>(b)];
  }
  [[nodiscard]] std::span<const double> row(std::int32_t variable) const {
    return values.subspan(static_cast<std::size_t>(variable) * n_variables, n_variables);
  }
};

// A k-tree by an order of insertion: each variable is joined to its clique, k variables inserted
// before it that are joined to each other. The first k + 1 variables are the root clique; the
// clique of each of these is all before it. So a set is a clique of the k-tree if and only if the
// clique of its last inserted member holds the others.
class KTree {
 public:
  // Starts with the root clique alone. k is at most n - 1; the root clique has k + 1 variables.
  KTree(std::size_t n_variables, std::size_t k, std::span<const std::int32_t> root);
  // Inserts a variable that is joined to a clique of k variables.
  void insert(std::int32_t variable, std::span<const std::int32_t> clique);

  [[nodiscard]] std::size_t n_variables() const { return places_.size(); }
  [[nodiscard]] std::size_t k() const { return k_; }
  [[nodiscard]] std::span<const std::int32_t> order() const { return order_; }
  // The clique of a variable that is inserted; ascending.
  [[nodiscard]] std::span<const std::int32_t> clique(std::int32_t variable) const {
    const auto place = static_cast<std::size_t>(places_[static_cast<std::size_t>(variable)]);
    return std::span(cliques_).subspan(place * k_, place < k_ ? place : k_);
  }
  // Whether the variable and the others are joined to each other; all are inserted.
  [[nodiscard]] bool joins(std::int32_t variable, std::span<const std::int32_t> others) const;
  // The sum of the weights over all edges: the I-score if weights are mutual information.
  [[nodiscard]] double information(const PairWeights& weights) const;
  // One bag for each (k + 1)-clique. All variables are inserted.
  [[nodiscard]] TreeDecomposition decomposition() const;

 private:
  std::size_t k_;
  std::vector<std::int32_t> order_;
  // Place of each variable in the order; -1 before its insertion.
  std::vector<std::int32_t> places_;
  std::vector<std::int32_t> cliques_;  // Cliques in the order, k members each.
};

}  // namespace credenet
