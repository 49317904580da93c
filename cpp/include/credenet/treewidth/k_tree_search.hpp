#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/treewidth/k_tree.hpp"
#include "credenet/treewidth/tree_decomposition.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct KTreeOptions {
  std::size_t tree_width = 4;
  bool guided = true;  // Whether k-trees have much information; otherwise they are drawn uniformly.
  // Whether the best network of a k-tree is found; otherwise the best of sampled orders.
  bool exact = false;
  bool complete = false;  // Whether guided k-trees are found by A*; otherwise they are greedy.
  // Number of k-trees from which a network is made; 0 to go on until stopped.
  std::size_t n_iterations = 100;
  std::size_t n_orders = 100;                    // Orders that are sampled for each k-tree.
  std::size_t max_bytes = std::size_t{1} << 30;  // Most bytes that A* may take.
  std::uint64_t seed = 0;
  unsigned n_threads = 1;
};

// The information of a k-tree and the score of the network found within it.
struct KTreePoint {
  double information = 0;
  double score = 0;
};

struct KTreeResult : BoundedResult {
  std::vector<KTreePoint> points;  // One for each k-tree with a network, by iteration.
  // How much more information k-trees by A* have than greedy ones: the mean over all searches that
  // came to their end, and how many these are.
  double complete_gain = 0;
  std::size_t n_complete = 0;
};

// The best network found within k-trees (Nie, de Campos and Ji 2016: S2, S2+, K&P and K&P+). Guided
// k-trees grow from root cliques, the first that of most information, the others drawn at random.
// Unguided ones are drawn uniformly and accepted with the probability of their information over the
// most so far. Where the score is the bound, the sum of the best families, the network is optimal.
// Infeasible, which is proven, if there is no network of families with at most tree_width parents.
// There may be networks of this tree-width though none is found. Given a number of iterations the
// result depends on the seed only, not on the number of threads.
[[nodiscard]] KTreeResult k_tree_search(const FamilyLists& lists, const PairWeights& weights,
                                        const KTreeOptions& options, Control& control);

}  // namespace credenet
