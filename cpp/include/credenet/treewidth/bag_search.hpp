#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/local/insertion_search.hpp"
#include "credenet/treewidth/family_index.hpp"
#include "credenet/treewidth/tree_decomposition.hpp"
#include "credenet/treewidth/tree_growth.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Simulated annealing over tree decompositions. A state is a tree of bags, all of the same size,
// and an order of the variables. Each variable has the best family that lies in one of its bags
// with all parents before it in the order. So every state is a network of bounded tree-width, and a
// change of one bag concerns its members only.
class BagSearch {
 public:
  static constexpr std::size_t kMostMembers = 17;  // Most members of a bag.

  BagSearch(const OrderLists& lists, const FamilyIndex& index, std::size_t tree_width);

  struct State {
    std::vector<std::int32_t> members;                  // Members of all bags in turn.
    std::vector<std::vector<std::int32_t>> neighbours;  // Neighbours of each bag.
    std::vector<double> ranks;                          // Rank of each variable in the order.
    double score = FamilyIndex::kNoScore;
    bool is_network = false;  // Whether every variable has a family.
  };

  void set_tree(const GrownTree& tree);
  void set_state(const State& state);
  // Sets a network; members of neighbouring bags are added to bags that are too small.
  void set_network(const BoundedResult& network);

  // Makes n_steps random changes. A change that lowers the score by d is kept with probability
  // exp(-d / temperature).
  void anneal(std::size_t n_steps, double temperature, Random& random);

  // The best state since the tree or the state was set.
  [[nodiscard]] const State& best() const { return best_; }
  // The network of the best state; without families if it is none.
  [[nodiscard]] BoundedResult network() const;

 private:
  // Most bags that change at once, as valuing them takes long.
  static constexpr std::size_t kMostChanged = 60;

  struct KeyedSet {
    std::uint64_t key = 0;
    std::size_t size = 0;
  };
  using Members = std::array<std::int32_t, kMostMembers>;
  using Values = std::array<double, kMostMembers>;

  [[nodiscard]] std::size_t n_bags() const { return neighbours_.size(); }
  [[nodiscard]] std::span<const std::int32_t> members(std::size_t bag) const {
    return std::span(members_).subspan(bag * size_, size_);
  }
  [[nodiscard]] bool holds(std::size_t bag, std::int32_t variable) const;
  [[nodiscard]] bool may_be_parent(std::size_t child, std::size_t parent) const {
    return (candidates_[child * n_words_ + parent / 64] >> (parent % 64) & 1) != 0;
  }
  void save();

  void value_members(const std::int32_t* members, double* values);
  [[nodiscard]] double best_value(std::size_t variable, std::size_t left_out) const;
  [[nodiscard]] bool accepts(double change, Random& random) const;
  bool replace(std::size_t bag, const Members& fresh, Random& random);
  template <typename Change>
  void settle(std::span<const std::int32_t> bags, std::int32_t also, Random& random,
              Change&& change_back);

  void swap_member(Random& random);
  void replace_in_branch(std::size_t bag, std::size_t root, std::int32_t leaves, std::int32_t joins,
                         Random& random);
  void move_leaf(Random& random);
  void hang_elsewhere(Random& random);
  void move_in_order(Random& random);
  void exchange(Random& random);
  void exchange(std::size_t x, std::size_t y);
  [[nodiscard]] std::size_t host_for(std::size_t variable, std::span<const std::int32_t> parents,
                                     std::size_t left_out, Random& random) const;
  void relink(std::size_t bag, std::size_t from, std::size_t to);
  void spread_ranks();

  const OrderLists& lists_;
  const FamilyIndex& index_;
  std::size_t size_;                       // Members of a bag.
  std::vector<double> none_;               // Score of each variable without a family.
  std::size_t n_words_;                    // Words of a row of candidates.
  std::vector<std::uint64_t> candidates_;  // Possible parents of each variable as bits.

  std::vector<std::int32_t> members_;                  // Members of all bags.
  std::vector<double> values_;                         // Best score of each member within its bag.
  std::vector<std::vector<std::int32_t>> neighbours_;  // Neighbours of each bag.
  std::vector<std::vector<std::int32_t>> bags_;        // Bags of each variable.
  std::vector<double> ranks_;                          // Rank of each variable in the order.
  std::vector<double> scores_;                         // Best value of each variable.
  double score_ = 0;
  double temperature_ = 0;
  bool has_risen_ = false;  // Whether the score has risen since the best state was saved.
  State best_;

  std::vector<KeyedSet> sets_;         // Parent sets of a member.
  std::vector<std::int32_t> changed_;  // Bags that have changed.
  // Parents of the changed bags, towards the rest of the tree.
  std::vector<std::int32_t> branch_parents_;
  std::vector<Values> kept_;           // Values of bags before they changed.
  std::vector<std::int32_t> touched_;  // Members of bags that have changed.
  std::vector<std::uint8_t> is_touched_;
  std::vector<double> fresh_;  // New scores of the touched members.
};

}  // namespace credenet
