#include "credenet/lattice/component_lists.hpp"

#include <algorithm>
#include <bit>
#include <unordered_set>

#include "credenet/graphs/strong_components.hpp"

namespace credenet {
namespace {

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
  const MemberBits bits_of(lists.n_variables(), members);
  for (const std::int32_t member : members) {
    const auto variable = static_cast<std::size_t>(member);
    KeptSets kept;
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      const std::uint64_t set = bits_of(lists.parents_of(family));
      if (kept.has_subset_of(set)) continue;
      kept.add(set);
      parents_.push_back(set);
      scores_.push_back(lists.scores[family]);
      families_.push_back(static_cast<std::int64_t>(family));
    }
    starts_.push_back(parents_.size());
  }
}

std::vector<std::vector<std::int32_t>> strong_components(const FamilyLists& lists) {
  std::vector<std::int64_t> starts;
  for (const std::int64_t family : lists.starts) {
    starts.push_back(lists.offsets[static_cast<std::size_t>(family)]);
  }
  return strong_components(starts, lists.parents);
}

std::vector<std::vector<std::int32_t>> strong_components(const FamilyLists& lists,
                                                         std::span<const std::size_t> families) {
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> parents;
  auto family = families.begin();
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    for (; family != families.end() && *family < lists.end(v); ++family) {
      const auto several = lists.parents_of(*family);
      parents.insert(parents.end(), several.begin(), several.end());
    }
    starts.push_back(static_cast<std::int64_t>(parents.size()));
  }
  return strong_components(starts, parents);
}

}  // namespace credenet
