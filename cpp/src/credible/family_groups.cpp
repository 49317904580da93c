#include "credenet/credible/family_groups.hpp"

#include <unordered_map>

#include "credenet/lattice/member_bits.hpp"

namespace credenet {

FamilyGroups::FamilyGroups(const FamilyLists& lists, std::span<const std::int32_t> members) {
  const MemberBits bits_of(lists.n_variables(), members);
  for (const std::int32_t member : members) {
    const auto variable = static_cast<std::size_t>(member);
    // The lists are best first, so groups are met in the order of their best families.
    std::unordered_map<std::uint64_t, std::size_t> known;
    std::vector<std::uint64_t> sets;
    std::vector<std::vector<std::size_t>> families;
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      const std::uint64_t set = bits_of(lists.parents_of(family));
      const auto [entry, is_new] = known.try_emplace(set, sets.size());
      if (is_new) {
        sets.push_back(set);
        families.emplace_back();
      }
      families[entry->second].push_back(family);
    }
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const std::size_t begin = scores_.size();
      for (const std::size_t family : families[k]) {
        scores_.push_back(lists.scores[family]);
        positions_.push_back(family - lists.begin(variable));
      }
      groups_.push_back({sets[k], scores_[begin], begin, scores_.size()});
    }
    starts_.push_back(groups_.size());
  }
}

}  // namespace credenet
