#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/treewidth/k_tree.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// The guide of searches for a k-tree of large information: the weights of pairs, and for each
// variable the most that it can add when it is inserted, the sum of its k largest weights.
class KTreeGuide {
 public:
  KTreeGuide(const PairWeights& weights, std::size_t k);

  [[nodiscard]] std::size_t n_variables() const { return weights_.n_variables; }
  [[nodiscard]] std::size_t k() const { return k_; }
  [[nodiscard]] const PairWeights& weights() const { return weights_; }
  [[nodiscard]] double most(std::int32_t variable) const {
    return most_[static_cast<std::size_t>(variable)];
  }
  // How much less than the most the variable adds with this clique.
  [[nodiscard]] double regret(std::int32_t variable, std::span<const std::int32_t> clique) const;

 private:
  PairWeights weights_;
  std::size_t k_;
  std::vector<double> most_;
};

// Grows a k-tree from a root clique of k + 1 variables: the next variable and clique are always
// those of least regret (Nie, de Campos and Ji 2016, Algorithm 1 as printed).
[[nodiscard]] KTree greedy_k_tree(const KTreeGuide& guide, std::span<const std::int32_t> root);

struct CompleteKTree {
  KTree tree;
  double gain = 0;  // Information gained over the greedy k-tree.
  Status status = Status::kStopped;
};

// The k-tree of largest information among those with this root clique: status optimal. Otherwise,
// because the control or the limit of memory stopped it, the greedy one.
[[nodiscard]] CompleteKTree complete_k_tree(const KTreeGuide& guide,
                                            std::span<const std::int32_t> root,
                                            std::size_t max_bytes, Control& control);

}  // namespace credenet
