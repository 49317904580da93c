#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credenet {

// Sets of variables as bits, among a few of all variables: bit i stands for the i-th member, and
// variables that are no members are left out.
class MemberBits {
 public:
  static constexpr std::size_t kMostMembers = 64;  // Most members: bits of a word.

  MemberBits(std::size_t n_variables, std::span<const std::int32_t> members) : bit_(n_variables) {
    assert(members.size() <= kMostMembers);
    for (std::size_t at = 0; at < members.size(); ++at) {
      bit_[static_cast<std::size_t>(members[at])] = std::uint64_t{1} << at;
    }
  }

  [[nodiscard]] std::uint64_t operator()(std::span<const std::int32_t> variables) const {
    std::uint64_t set = 0;
    for (const std::int32_t variable : variables) set |= bit_[static_cast<std::size_t>(variable)];
    return set;
  }

 private:
  std::vector<std::uint64_t> bit_;  // Bit of each variable; 0 for variables that are no members.
};

}  // namespace credenet
