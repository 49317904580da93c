#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "credenet/families/score_families.hpp"
#include "credenet/util/flat_index.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {

// A candidate parent set of the level that is listed, with what its subsets say of it.
template <std::size_t kWords>
struct ListedSet {
  using Set = VariableSet<kWords>;

  Set parents;
  // Best score, prior included, of its proper subsets.
  double best = -std::numeric_limits<double>::infinity();
  // Best score without the prior of its proper subsets, less what a prior may still add.
  double guard = -std::numeric_limits<double>::infinity();
  // Bound on the score without prior of every superset.
  double bound = std::numeric_limits<double>::infinity();
};

// The open sets of a child that have one size, in the order of their level. A set of the next size
// is listed if all its subsets of this size with the required parents are open.
template <typename Listed>
class OpenSets {
  using Set = typename Listed::Set;

 public:
  void add(const Listed& set) {
    index_.insert(set.parents);
    sets_.push_back(set);
  }
  void clear() {
    index_ = {};
    sets_ = {};
  }

  [[nodiscard]] std::size_t size() const { return sets_.size(); }
  [[nodiscard]] const Listed& operator[](std::size_t at) const { return sets_[at]; }
  [[nodiscard]] const std::vector<Listed>& sets() const { return sets_; }

  // Takes over the best scores and bounds of the subsets of a larger set. Calls visit with each
  // parent that can be left out and the place of the set without it. False if a subset is not open.
  template <typename Visit>
  [[nodiscard]] bool join(const ChildRules& rules, Listed& larger, Visit&& visit) const {
    bool are_open = true;
    larger.parents.for_each([&](std::size_t parent) {
      if (!are_open || rules.is_required(parent)) return;
      const std::uint32_t at = index_.find(larger.parents.without(parent));
      are_open = at != FlatIndex<Set>::kAbsent;
      if (!are_open) return;
      larger.bound = std::min(larger.bound, sets_[at].bound);
      larger.best = std::max(larger.best, sets_[at].best);
      larger.guard = std::max(larger.guard, sets_[at].guard);
      visit(parent, at);
    });
    return are_open;
  }

  // Calls extend(set, added) for every larger set that may be listed, as long as go_on() says so.
  // Such a set without its last member, or without its last but one, is open. So it comes from two
  // open sets that differ in their last member only; these are neighbours if the level is in order.
  template <typename GoOn, typename Extend>
  void for_each_larger(const ChildRules& rules, GoOn&& go_on, Extend&& extend) const {
    if (size() == 1 && sets_[0].parents.size() == rules.required.size()) {
      for (const std::uint16_t added : rules.candidates) {
        if (!go_on()) return;
        extend(sets_[0], added);
      }
      return;
    }
    std::vector<std::uint16_t> last(size());  // Last member of each set that is not required.
    for (std::size_t at = 0; at < size(); ++at) {
      sets_[at].parents.for_each([&](std::size_t parent) {
        if (!rules.is_required(parent)) last[at] = static_cast<std::uint16_t>(parent);
      });
    }
    for (std::size_t at = 0; at < size() && go_on(); ++at) {
      const Set common = sets_[at].parents.without(last[at]);
      for (std::size_t other = at + 1; other < size(); ++other) {
        if (!(sets_[other].parents.without(last[other]) == common)) break;
        extend(sets_[at], last[other]);
      }
    }
  }

 private:
  std::vector<Listed> sets_;
  FlatIndex<Set> index_;  // Index of the parents of the sets.
};

}  // namespace credenet
