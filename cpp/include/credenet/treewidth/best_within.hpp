#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/treewidth/bag_orders.hpp"
#include "credenet/treewidth/family_index.hpp"
#include "credenet/treewidth/tree_decomposition.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The best network whose families lie in bags of a given tree decomposition (Korhonen and
// Parviainen 2013), by a dynamic programme over the tree. A network there is acyclic if and only if
// every bag has a linear order such that neighbours agree on what they share. So a bag tells the
// one above, for each order of the members they share and each set of those members, the best score
// of all families taken below if these members took theirs below too.
//
// Keeps its tables between calls; one object for each thread. Bags may have at most kMostMembers
// members: a bag of m takes about m! 3^m steps, and (m - 1)! 2^(m - 1) numbers are kept for it.
class BestWithin {
 public:
  static constexpr std::size_t kMostMembers = 9;

  // The index must hold all families that fit into the bags, and live as long as this.
  explicit BestWithin(const FamilyIndex& index) : index_(index) {}

  // Finds the best network. Throws std::invalid_argument if the tree is no decomposition of the
  // variables or a bag is too large.
  [[nodiscard]] BoundedResult operator()(const TreeDecomposition& decomposition, Control& control);

 private:
  // A bag that is not within the one above. Members shared with the bag above come first, in the
  // order they have there.
  struct Node {
    std::vector<std::int32_t> members;
    std::size_t n_shared = 0;
    std::size_t above = 0;
    std::uint32_t mask = 0;             // Mask of the shared members in the bag above.
    std::vector<std::size_t> children;  // Places of the nodes that hang on this node.
    std::vector<double> scores;         // Best family score by member and set of other members.
    std::vector<double> message;        // Best score by set of shared members and their order.
    std::vector<std::uint32_t> sets;    // Sets with a message above minus infinity.
  };
  // A bag whose best families are to be found again.
  struct Task {
    std::size_t node;
    std::size_t order;       // Order of the shared members, or of all members at the root.
    std::uint32_t to_place;  // Shared members that take their family in this bag or below.
  };

  void prepare(const TreeDecomposition& decomposition);
  void find_scores(Node& node) const;
  [[nodiscard]] BagOrders& orders(std::size_t size);
  [[nodiscard]] bool send(Node& node, const Progress& progress, Control& control);
  void fill_block(const Node& node, std::size_t first, std::size_t n_lanes);
  void add_child(const Node& node, const Node& child, bool is_last, std::size_t first,
                 std::size_t n_lanes);
  void place(const Task& task, std::vector<Task>& tasks, std::vector<std::int32_t>& families);
  [[nodiscard]] double fill_layers(const Node& node, std::size_t order, std::uint32_t target);
  [[nodiscard]] std::int32_t best_family(const Node& node, std::size_t member,
                                         std::uint32_t before) const;

  const FamilyIndex& index_;
  std::vector<BagOrders> orders_;  // Orders by size of the bag.
  std::vector<Node> nodes_;
  std::size_t n_nodes_ = 0;
  std::size_t best_order_ = 0;       // Best order of the root.
  std::vector<double> block_;        // Best score of the families by set of members and order.
  std::vector<std::uint8_t> alive_;  // Marks of the sets of the block above minus infinity.
  std::vector<double> local_;        // Best family score by member and order.
  std::vector<double> spread_;       // Message of a child, by set and order of the bag.
  std::vector<double> layers_;       // Best score by number of children used and set of members.
  std::vector<double> best_layers_;
};

// Finds the best network in one call. The status is kOptimal, kInfeasible if no families fit, or
// kStopped.
[[nodiscard]] BoundedResult best_within(const FamilyIndex& index,
                                        const TreeDecomposition& decomposition, Control& control);
[[nodiscard]] BoundedResult best_within(const FamilyLists& lists,
                                        const TreeDecomposition& decomposition, Control& control);

}  // namespace credenet
