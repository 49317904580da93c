#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/local/insertion_search.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

enum class GrowthRule : std::uint8_t {
  kRandomOrder,        // Variables join in a random order (k-G).
  kSmallestLossFirst,  // The variable that loses least against its best family joins next (k-MAX).
};

// A k-tree in the order in which its variables joined, and a network within it. Each variable has
// its parents among those before it.
struct GrownTree {
  std::vector<std::int32_t> order;
  // The clique that each variable joined, ascending.
  std::vector<std::vector<std::int32_t>> cliques;
  std::vector<std::int32_t> families;  // Positions in the lists; their size for none.
};

// Grows k-trees with networks one variable at a time (Scanagatta, Corani, de Campos and Zaffalon,
// k-G: NIPS 2016, k-MAX: IJAR 2018). A variable joins a clique of at most k others that contains
// the best of its families that lie in some clique. There is one search for each thread.
class TreeGrowth {
 public:
  TreeGrowth(const OrderLists& lists, std::size_t tree_width);

  [[nodiscard]] GrownTree grow(GrowthRule rule, Random& random);
  // Returns the tree with a random branch cut off and grown again: a variable, all those whose
  // cliques hold it, and so on.
  [[nodiscard]] GrownTree regrow(const GrownTree& tree, Random& random);
  [[nodiscard]] double score(const GrownTree& tree) const;

 private:
  void begin();
  void finish(GrowthRule rule, Random& random);
  [[nodiscard]] std::size_t next_to_join(GrowthRule rule, Random& random);
  void join(std::size_t variable, Random& random);
  [[nodiscard]] std::vector<std::int32_t> bag_of(std::int32_t variable) const;
  void find_families(std::size_t joined);
  [[nodiscard]] double loss(std::size_t variable) const;

  const OrderLists& lists_;
  std::size_t tree_width_;
  GrownTree tree_;
  // Variable whose bag holds each variable's family; -1 if there is none.
  std::vector<std::int32_t> hosts_;
  std::vector<std::int32_t> waiting_;  // Variables that have not joined.
  std::vector<std::int32_t> places_;  // Places in the order; -1 for variables that have not joined.
  std::vector<std::uint8_t> in_bag_;  // Mask of the bag of the last variable that joined.
};

}  // namespace credenet
