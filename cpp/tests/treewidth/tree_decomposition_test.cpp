#include "credenet/treewidth/tree_decomposition.hpp"

#include "check.hpp"
#include "families/bit_lists.hpp"

using credenet::is_within;
using credenet::TreeDecomposition;

int main() {
  BitLists lists;  // The network is 0 -> 2 <- 1, 2 -> 3.
  for (const std::uint64_t parents : {0b0ULL, 0b0ULL, 0b11ULL, 0b100ULL}) {
    lists.add_family(-1.0, parents);
    lists.end_variable();
  }
  const std::vector<std::int32_t> families(4, 0);
  const auto within = [&](const TreeDecomposition& tree) {
    return is_within(lists.view(), families, tree);
  };
  CHECK(within({{{0, 1, 2}, {2, 3}}, {-1, 0}}));
  CHECK((TreeDecomposition{{{0, 1, 2}, {2, 3}}, {-1, 0}}.width() == 2));
  CHECK(TreeDecomposition{}.width() == 0);
  CHECK(!within({{{0, 1, 2}}, {-1}}));                        // Variable 3 is missing.
  CHECK(!within({{{0, 2}, {1, 2}, {2, 3}}, {-1, 0, 0}}));     // The family of 2 is in no bag.
  CHECK(!within({{{0, 1, 2}, {0, 1}, {2, 3}}, {-1, 0, 1}}));  // Variable 2 is in two parts.
  CHECK(!within({{{0, 1, 2}, {2, 3}}, {-1, -1}}));            // There are two trees.
  CHECK(!within({{{0, 1, 2}, {2, 3}}, {-1, 1}}));             // A bag is above itself.
  CHECK(within({{{2, 3}, {0, 1, 2}, {0}, {1}}, {-1, 0, 1, 1}}));
  return 0;
}
