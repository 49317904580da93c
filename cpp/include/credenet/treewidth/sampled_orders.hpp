#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/treewidth/k_tree.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Some families of each variable: their positions in its list, ascending, so best first.
struct FamilySelection {
  std::vector<std::size_t> starts{0};
  std::vector<std::int32_t> positions;

  [[nodiscard]] std::span<const std::int32_t> of(std::size_t variable) const {
    return std::span(positions).subspan(starts[variable], starts[variable + 1] - starts[variable]);
  }
};

// The families with at most k parents, each variable's up to the empty set, as none behind it is
// ever needed. Those of a variable are grouped by their first parent: within a k-tree only groups
// of its neighbours matter.
class SmallFamilies {
 public:
  SmallFamilies(const FamilyLists& lists, std::size_t k);

  [[nodiscard]] const FamilySelection& all() const { return all_; }
  // The families that form a clique of the k-tree together with their variable.
  [[nodiscard]] FamilySelection within(const KTree& tree) const;

 private:
  struct Group {
    std::int32_t parent = -1;  // First parent of the families; -1 for the empty set.
    std::size_t first = 0;     // First place in the positions.
    std::size_t last = 0;
  };

  [[nodiscard]] std::span<const std::int32_t> parents(std::size_t variable,
                                                      std::int32_t position) const {
    return lists_.parents_of(lists_.begin(variable) + static_cast<std::size_t>(position));
  }

  FamilyLists lists_;
  FamilySelection all_;
  std::vector<std::int32_t> positions_;       // Positions in the lists, group by group.
  std::vector<std::size_t> group_starts_{0};  // Start of the groups of each variable.
  std::vector<Group> groups_;                 // Groups of each variable, by ascending parent.
};

// The network of an order: each variable has its best family among those before it. A variable
// without any comes again after the others. Empty if there is no network of these families at all.
[[nodiscard]] std::vector<std::int32_t> network_of_order(const FamilyLists& lists,
                                                         const FamilySelection& selection,
                                                         std::span<const std::int32_t> order);

struct SampledNetwork {
  std::vector<std::int32_t> families;  // Families of the network; empty if there is none.
  double score = -std::numeric_limits<double>::infinity();
  bool is_finished = false;  // Whether all orders were drawn.
};

// Finds the best network of orders drawn uniformly, at least one even if stopped at once (the
// second step of the method S2 of Nie, Mauá, de Campos and Ji 2014). The best order is improved by
// insertions.
[[nodiscard]] SampledNetwork sample_orders(const FamilyLists& lists,
                                           const FamilySelection& selection, std::size_t n_orders,
                                           Random& random, Control& control);

}  // namespace credenet
