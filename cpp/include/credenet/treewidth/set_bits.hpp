#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

// Sets of few variables as bits, and their numbers among the subsets of a set.
namespace credenet::set_bits {

using Set = std::uint32_t;

inline std::size_t size_of(Set set) { return static_cast<std::size_t>(std::popcount(set)); }
inline std::size_t lowest(Set set) { return static_cast<std::size_t>(std::countr_zero(set)); }
inline Set bit(std::size_t at) { return Set{1} << at; }

// The set with a bit put in at a place; the bits from there on move up.
inline Set with_bit(Set set, std::size_t place, Set value) {
  const Set low = bit(place) - 1;
  return (set & low) | value << place | (set & ~low) << 1;
}

inline Set without_bit(Set set, std::size_t place) {
  const Set low = bit(place) - 1;
  return (set & low) | (set >> 1 & ~low);
}

inline std::size_t member(Set set, std::size_t at) {
  while (at-- > 0) set &= set - 1;
  return lowest(set);
}

// The members that the bits of a number stand for.
inline Set members_of(Set numbered, Set set) {
  Set result = 0;
  for (; set != 0; set &= set - 1, numbered >>= 1) {
    if ((numbered & 1) != 0) result |= bit(lowest(set));
  }
  return result;
}

// The number, among sets outside the separator, of a set outside the bag; the separator is the bag
// without a variable.
inline Set below_separator(Set set, Set outside_bag, std::size_t variable) {
  if (variable == 0) return set;
  return with_bit(set, size_of(outside_bag & (bit(variable) - 1)), 0);
}

}  // namespace credenet::set_bits
