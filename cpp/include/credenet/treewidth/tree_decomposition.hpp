#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/families/search_result.hpp"

namespace credenet {

// Bags of variables in a tree. Every variable is in a bag, and the bags that hold a given variable
// are connected.
struct TreeDecomposition {
  std::vector<std::vector<std::int32_t>> bags;  // Variables of each bag, ascending.
  std::vector<std::int32_t> parents;  // Earlier bag that each bag hangs on; -1 for the first.

  // The size of the largest bag, less one; 0 without bags.
  [[nodiscard]] std::size_t width() const;
};

// A network of bounded tree-width: each variable and its parents are in one bag.
struct BoundedResult : SearchResult {
  TreeDecomposition decomposition;
};

// Whether the bags are in one tree, every variable is in a bag, and the bags of each variable are
// connected.
[[nodiscard]] bool is_decomposition(std::size_t n_variables,
                                    const TreeDecomposition& decomposition);

// Whether it is a decomposition and every variable is in one bag with all parents of its family (a
// position in its list).
[[nodiscard]] bool is_within(const FamilyLists& lists, std::span<const std::int32_t> families,
                             const TreeDecomposition& decomposition);

}  // namespace credenet
