#include "credenet/search/component_lists.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <unordered_set>

namespace credenet {
namespace {

constexpr std::int32_t kOutside = -1;

// Sets that were kept, and whether one of them is a subset of another set: by looking at them all
// or at all subsets, whichever is less.
class KeptSets {
 public:
  [[nodiscard]] bool has_subset_of(std::uint64_t set) const {
    const int size = std::popcount(set);
    if (size < 20 && (std::size_t{1} << size) < list_.size()) {
      for (std::uint64_t subset = set;; subset = (subset - 1) & set) {
        if (known_.contains(subset)) return true;
        if (subset == 0) return false;
      }
    }
    return std::ranges::any_of(list_, [&](std::uint64_t kept) { return (kept & ~set) == 0; });
  }
  void add(std::uint64_t set) {
    list_.push_back(set);
    known_.insert(set);
  }

 private:
  std::vector<std::uint64_t> list_;
  std::unordered_set<std::uint64_t> known_;
};

}  // namespace

ComponentLists::ComponentLists(const FamilyLists& lists, std::span<const std::int32_t> members) {
  assert(members.size() <= kMostVariables);
  std::vector<std::int32_t> place(lists.n_variables(), kOutside);
  for (std::size_t at = 0; at < members.size(); ++at) {
    place[static_cast<std::size_t>(members[at])] = static_cast<std::int32_t>(at);
  }
  for (const std::int32_t member : members) {
    const auto variable = static_cast<std::size_t>(member);
    KeptSets kept;
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      std::uint64_t set = 0;
      for (const std::int32_t parent : lists.parents_of(family)) {
        const std::int32_t at = place[static_cast<std::size_t>(parent)];
        if (at != kOutside) set |= std::uint64_t{1} << at;
      }
      if (kept.has_subset_of(set)) continue;
      kept.add(set);
      parents_.push_back(set);
      scores_.push_back(lists.scores[family]);
      families_.push_back(static_cast<std::int64_t>(family));
    }
    starts_.push_back(parents_.size());
  }
}

// Tarjan's algorithm with its own stack; arcs are followed from child to parent, so a component is
// finished after those of its parents.
std::vector<std::vector<std::int32_t>> strong_components(const FamilyLists& lists) {
  const std::size_t n = lists.n_variables();
  constexpr std::size_t kUnseen = ~std::size_t{0};
  struct Visit {
    std::size_t variable;
    std::size_t next;  // place in the flat list of its families' parents
  };
  const auto first_parent = [&](std::size_t variable) {
    return static_cast<std::size_t>(lists.offsets[lists.begin(variable)]);
  };
  const auto last_parent = [&](std::size_t variable) {
    return static_cast<std::size_t>(lists.offsets[lists.end(variable)]);
  };
  std::vector<std::size_t> number(n, kUnseen);
  std::vector<std::size_t> lowest(n, 0);
  std::vector<bool> is_open(n, false);
  std::vector<std::int32_t> open;
  std::vector<std::vector<std::int32_t>> components;
  std::vector<Visit> stack;
  std::size_t next_number = 0;
  const auto enter = [&](std::size_t variable) {
    number[variable] = lowest[variable] = next_number++;
    open.push_back(static_cast<std::int32_t>(variable));
    is_open[variable] = true;
    stack.push_back({variable, first_parent(variable)});
  };
  for (std::size_t root = 0; root < n; ++root) {
    if (number[root] != kUnseen) continue;
    enter(root);
    while (!stack.empty()) {
      const std::size_t variable = stack.back().variable;
      if (stack.back().next < last_parent(variable)) {
        const auto parent = static_cast<std::size_t>(lists.parents[stack.back().next++]);
        if (number[parent] == kUnseen) {
          enter(parent);
        } else if (is_open[parent]) {
          lowest[variable] = std::min(lowest[variable], number[parent]);
        }
        continue;
      }
      stack.pop_back();
      if (!stack.empty()) {
        std::size_t& above = lowest[stack.back().variable];
        above = std::min(above, lowest[variable]);
      }
      if (lowest[variable] != number[variable]) continue;
      std::vector<std::int32_t> component;
      for (std::int32_t member = -1; member != static_cast<std::int32_t>(variable);) {
        member = open.back();
        open.pop_back();
        is_open[static_cast<std::size_t>(member)] = false;
        component.push_back(member);
      }
      std::ranges::sort(component);
      components.push_back(std::move(component));
    }
  }
  return components;
}

}  // namespace credenet
