#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "credenet/families/family_lists.hpp"
#include "credenet/treewidth/tree_decomposition.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

enum class BoundedMethod : std::uint8_t {
  kKG,         // Trees grown in random orders.
  kKMax,       // Trees grown by the smallest loss first, with branches grown again.
  kAnnealing,  // Simulated annealing over tree decompositions, from trees of k-MAX.
};

struct BoundedSearchOptions {
  std::size_t tree_width = 1;  // Largest tree-width, at most kMostTreeWidth.
  BoundedMethod method = BoundedMethod::kAnnealing;
  // Number of trees or annealings; 0 to go on until the control stops.
  std::size_t n_iterations = 0;
  std::uint64_t seed = 0;
  unsigned n_threads = 1;
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();

  static constexpr std::size_t kMostTreeWidth = 16;
};

// A network of bounded tree-width by local search. The status is kIterationLimit, kStopped,
// kMemoryLimit if the tables of the search do not fit, kOptimal if every variable has the best of
// its families that fit into a bag, or kInfeasible, which is proven, if one has none. The result
// has no families if no network was found, which is possible where variables lack the empty set.
// Given a number of iterations it depends on the seed only, not on the number of threads.
[[nodiscard]] BoundedResult bounded_search(const FamilyLists& lists,
                                           const BoundedSearchOptions& options, Control& control);

}  // namespace credenet
