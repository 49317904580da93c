#include "credenet/treewidth/family_index.hpp"

#include <algorithm>
#include <stdexcept>

#include "credenet/util/random.hpp"

namespace credenet {

FamilyIndex::FamilyIndex(const FamilyLists& lists, std::size_t most_parents)
    : lists_(lists), limit_(most_parents) {
  if (lists.scores.size() > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("a family index holds fewer than 2^31 families");
  }
  std::size_t n_families = 0;
  for (std::size_t family = 0; family < lists.scores.size(); ++family) {
    if (lists.parents_of(family).size() <= most_parents) ++n_families;
  }
  const std::size_t n_slots = std::bit_ceil(2 * n_families + 2);
  shift_ = 64 - std::countr_zero(n_slots);
  slots_.resize(n_slots);
  families_.resize(n_slots);
  for (std::uint64_t seed = 0; !fill(seed);) ++seed;
}

// Fills the index. False if two families have the same key.
bool FamilyIndex::fill(std::uint64_t seed) {
  Random random(seed);
  keys_.resize(lists_.n_variables());
  for (std::uint64_t& key : keys_) key = random();
  std::ranges::fill(slots_, Slot{});
  for (std::size_t v = 0; v < lists_.n_variables(); ++v) {
    for (std::size_t family = lists_.begin(v); family < lists_.end(v); ++family) {
      const auto parents = lists_.parents_of(family);
      if (parents.size() > limit_) continue;
      std::uint64_t key = child_key(static_cast<std::int32_t>(v));
      for (const std::int32_t parent : parents) key ^= this->key(parent);
      const std::size_t at = place_of(key);
      if (key == 0) return false;
      if (slots_[at].key == 0) {
        slots_[at] = {key, lists_.scores[family]};
        families_[at] = static_cast<std::int32_t>(family);
        most_parents_ = std::max(most_parents_, parents.size());
      } else {
        const auto other = static_cast<std::size_t>(families_[at]);
        if (other < lists_.begin(v) || !std::ranges::equal(lists_.parents_of(other), parents)) {
          return false;
        }
      }
      if (parents.empty()) break;
    }
  }
  return true;
}

bool FamilyIndex::has_parents(std::size_t family, std::span<const std::int32_t> members,
                              std::uint32_t mask) const {
  const auto parents = lists_.parents_of(family);
  if (parents.size() != static_cast<std::size_t>(std::popcount(mask))) return false;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::int32_t member = members[static_cast<std::size_t>(std::countr_zero(rest))];
    if (std::ranges::find(parents, member) == parents.end()) return false;
  }
  return true;
}

std::int64_t FamilyIndex::find(std::int32_t variable, std::span<const std::int32_t> members,
                               std::uint32_t mask, std::uint64_t key) const {
  const std::size_t at = place_of(key ^ child_key(variable));
  if (slots_[at].key == 0) return kAbsent;
  const auto family = static_cast<std::size_t>(families_[at]);
  const auto v = static_cast<std::size_t>(variable);
  if (family < lists_.begin(v) || family >= lists_.end(v)) return kAbsent;
  return has_parents(family, members, mask) ? families_[at] : kAbsent;
}

}  // namespace credenet
