#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// Finds the family of a variable by its parents. Holds the families of at most most_parents
// parents, but none behind the empty set, which no network needs; of those with the same parents
// the first. The lists must live as long.
//
// The key of a set is the exclusive or of the random keys of its members, that of a family the
// exclusive or of the keys of its child and its parents. No two families have the same key.
class FamilyIndex {
 public:
  static constexpr std::int64_t kAbsent = -1;
  static constexpr double kNoScore = -std::numeric_limits<double>::infinity();

  FamilyIndex(const FamilyLists& lists, std::size_t most_parents);

  [[nodiscard]] const FamilyLists& lists() const { return lists_; }
  // The most parents of a family that is held.
  [[nodiscard]] std::size_t most_parents() const { return most_parents_; }
  [[nodiscard]] std::uint64_t key(std::int32_t member) const {
    return keys_[static_cast<std::size_t>(member)];
  }
  [[nodiscard]] std::uint64_t child_key(std::int32_t child) const {
    return std::rotl(key(child), 17) + 1;
  }

  // The family of the variable whose parents are those members that are in the mask and whose key
  // is given: its number in the lists, or kAbsent.
  [[nodiscard]] std::int64_t find(std::int32_t variable, std::span<const std::int32_t> members,
                                  std::uint32_t mask, std::uint64_t key) const;

  // The score of the family with this key, kNoScore if there is none. A set that is no family has
  // the key of one with a probability of 2^-64 for each family, so what is built on this must be
  // checked once.
  [[nodiscard]] double score(std::uint64_t family_key) const {
    return slots_[place_of(family_key)].score;
  }

  static constexpr std::size_t kBytesPerFamily = 4 * (16 + 4);  // Bytes per family at most.

 private:
  struct Slot {
    std::uint64_t key = 0;  // Key of a family; 0 for a free slot.
    double score = kNoScore;
  };

  [[nodiscard]] bool fill(std::uint64_t seed);
  [[nodiscard]] bool has_parents(std::size_t family, std::span<const std::int32_t> members,
                                 std::uint32_t mask) const;
  // The slot of the key, or a free slot.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
    std::size_t at = key >> shift_;
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  FamilyLists lists_;
  std::size_t limit_;
  std::size_t most_parents_ = 0;
  int shift_ = 0;
  std::vector<std::uint64_t> keys_;  // Key of each variable.
  std::vector<Slot> slots_;
  std::vector<std::int32_t> families_;  // Family of each slot.
};

}  // namespace credenet
