#include "credenet/search/component_lists.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <unordered_set>

#include "credenet/graphs/strong_components.hpp"

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

// Arcs are followed from child to parent, so a component comes after those of its parents.
std::vector<std::vector<std::int32_t>> strong_components(const FamilyLists& lists) {
  return strong_components(lists.n_variables(), [&](Node variable) {
    const auto child = static_cast<std::size_t>(variable);
    const auto first = static_cast<std::size_t>(lists.offsets[lists.begin(child)]);
    const auto last = static_cast<std::size_t>(lists.offsets[lists.end(child)]);
    return lists.parents.subspan(first, last - first);
  });
}

}  // namespace credenet
