#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace credenet {

// A set of variables as bits; kWords words hold 64 * kWords variables.
template <std::size_t kWords>
struct VariableSet {
  std::array<std::uint64_t, kWords> words{};

  void insert(std::size_t variable) { words[variable / 64] |= std::uint64_t{1} << (variable % 64); }
  void erase(std::size_t variable) {
    words[variable / 64] &= ~(std::uint64_t{1} << (variable % 64));
  }
  [[nodiscard]] bool contains(std::size_t variable) const {
    return (words[variable / 64] >> (variable % 64) & 1) != 0;
  }
  [[nodiscard]] VariableSet with(std::size_t variable) const {
    VariableSet result = *this;
    result.insert(variable);
    return result;
  }
  [[nodiscard]] VariableSet without(std::size_t variable) const {
    VariableSet result = *this;
    result.erase(variable);
    return result;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  [[nodiscard]] bool is_subset_of(const VariableSet& other) const {
    for (std::size_t at = 0; at < kWords; ++at) {
      if ((words[at] & ~other.words[at]) != 0) return false;
    }
    return true;
  }
  // How many variables are in exactly one of the two sets.
  [[nodiscard]] std::size_t distance(const VariableSet& other) const {
    std::size_t count = 0;
    for (std::size_t at = 0; at < kWords; ++at) {
      count += static_cast<std::size_t>(std::popcount(words[at] ^ other.words[at]));
    }
    return count;
  }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t at = 0; at < kWords; ++at) {
      for (std::uint64_t rest = words[at]; rest != 0; rest &= rest - 1) {
        visit(at * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t value = 0;
    for (const std::uint64_t word : words) {
      value = (std::rotl(value, 23) ^ word) * 0x9E3779B97F4A7C15ULL;
      value ^= value >> 29;
    }
    return value;
  }

  // Whether this set comes first in lexicographic order of the ascending members. In that order,
  // sets with the same first members are neighbours.
  [[nodiscard]] bool precedes(const VariableSet& other) const {
    for (std::size_t at = 0; at < kWords; ++at) {
      const std::uint64_t different = words[at] ^ other.words[at];
      if (different == 0) continue;
      const std::uint64_t lowest = different & (0 - different);
      const bool mine = (words[at] & lowest) != 0;
      // The one with the smaller member comes first, unless the other has ended before it.
      const VariableSet& without_it = mine ? other : *this;
      bool goes_on = (without_it.words[at] & ~(lowest | (lowest - 1))) != 0;
      for (std::size_t later = at + 1; later < kWords; ++later) {
        goes_on = goes_on || without_it.words[later] != 0;
      }
      return mine == goes_on;
    }
    return false;
  }

  // The comparison is written out, because the default calls memcmp even for one word.
  bool operator==(const VariableSet& other) const {
    for (std::size_t at = 0; at < kWords; ++at) {
      if (words[at] != other.words[at]) return false;
    }
    return true;
  }
};

}  // namespace credenet
