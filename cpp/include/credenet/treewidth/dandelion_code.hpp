#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/treewidth/k_tree.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// The code of a k-tree of n >= k + 1 variables. There are as many codes as k-trees, and each k-tree
// has one.
struct DandelionCode {
  struct Pair {
    std::int32_t parent = 0;  // Parent from 1 to n - k, or 0 for none.
    std::int32_t label = 0;   // Label from 1 to k, or 0 if there is no parent.
  };

  std::vector<std::int32_t> root;  // Root clique of k variables, ascending.
  // Pairs: n - k - 2 of them (none for n = k + 1), each of k (n - k) + 1 values.
  std::vector<Pair> pairs;
};

[[nodiscard]] KTree decode(const DandelionCode& code, std::size_t n_variables);

// Draws a code uniformly.
[[nodiscard]] DandelionCode draw_dandelion_code(std::size_t n_variables, std::size_t k,
                                                Random& random);

// Draws a k-tree uniformly. k is at most n - 1.
[[nodiscard]] KTree sample_k_tree(std::size_t n_variables, std::size_t k, Random& random);

// Draws a set of this size uniformly from all variables; ascending.
[[nodiscard]] std::vector<std::int32_t> sample_variables(std::size_t n_variables, std::size_t size,
                                                         Random& random);

}  // namespace credenet
