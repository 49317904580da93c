#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "credenet/families/owned_lists.hpp"
#include "credenet/treewidth/best_within.hpp"
#include "credenet/treewidth/family_index.hpp"
#include "credenet/treewidth/row_store.hpp"
#include "credenet/treewidth/tree_decomposition.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Improves a network of bounded tree-width by exact search in windows (the idea of BN-SLIM): the
// bags of a connected part of its decomposition, and the families that are within their variables,
// are replaced by the best ones. What the rest needs is kept: the members that it shares with the
// window stay in one bag, and paths through it stay free of cycles.
//
// One object for each thread.
class WindowSearch {
 public:
  // The index must hold all families of at most tree_width parents. Windows are as large as
  // bounded_dp can do in max_steps steps, but always larger than a bag.
  WindowSearch(const FamilyIndex& index, std::size_t tree_width, double max_steps);

  // The number of variables that a window may have.
  [[nodiscard]] std::size_t window_size() const { return window_size_; }

  // Improves the network by one window drawn at random. The score never falls; other families and
  // bags of the same score may come. If the window holds all variables, the status becomes
  // kOptimal. False if the control says stop.
  [[nodiscard]] bool improve(BoundedResult& network, Random& random, Control& control);

 private:
  // Families of the window's variables, which are numbered by their place in the window.
  struct Lists : OwnedLists {
    // Position in the list of the variable; -1 for a kept family.
    std::vector<std::int32_t> positions;
  };

  void choose_window(const TreeDecomposition& decomposition, Random& random);
  [[nodiscard]] Lists window_lists(const BoundedResult& network) const;
  [[nodiscard]] bool is_kept(const BoundedResult& network, std::int32_t variable) const;
  [[nodiscard]] std::vector<std::vector<std::int32_t>> shared_members(
      const TreeDecomposition& decomposition) const;
  [[nodiscard]] std::vector<std::pair<std::int32_t, std::int32_t>> outside_paths(
      const BoundedResult& network) const;
  [[nodiscard]] TreeDecomposition replace_window(const TreeDecomposition& decomposition,
                                                 const TreeDecomposition& window) const;
  [[nodiscard]] bool improve_families(BoundedResult& network, Control& control);

  const FamilyIndex& index_;
  std::size_t tree_width_;
  std::size_t window_size_;
  BestWithin best_within_;
  RowStore rows_;
  std::vector<std::int32_t> members_;    // Variables of the window, in any order.
  std::vector<std::int32_t> places_;     // Places of variables in the window, or -1.
  std::vector<std::uint8_t> is_inside_;  // Marks of the bags of the window.
};

}  // namespace credenet
