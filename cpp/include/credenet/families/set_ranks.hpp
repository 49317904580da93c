#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace credenet {

// Numbers the sets of each size of n variables: the rank of a set with members s_0 < ... < s_(m-1)
// is the sum of C(n - 1 - s_j, m - j). In lexicographic order ranks fall by one, and sets that
// differ in their last member only are neighbours.
class SetRanks {
 public:
  SetRanks(std::size_t n_variables, std::size_t largest_size)
      : n_(n_variables), width_(largest_size + 1), choices_((n_variables + 1) * width_, 0) {
    for (std::size_t of = 0; of <= n_; ++of) {
      choices_[of * width_] = 1;
      for (std::size_t size = 1; size < width_ && of > 0; ++size) {
        const std::uint64_t without = choices_[(of - 1) * width_ + size];
        const std::uint64_t with = choices_[(of - 1) * width_ + size - 1];
        const bool is_too_large = without > kMost - with;
        choices_[of * width_ + size] = is_too_large ? kMost : without + with;
      }
    }
  }

  // How many sets of a size there are; kMost stands for more.
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 2;
  [[nodiscard]] std::uint64_t n_sets(std::size_t size) const { return choices(n_, size); }
  // The binomial coefficient C(of, size).
  [[nodiscard]] std::uint64_t choices(std::size_t of, std::size_t size) const {
    return choices_[of * width_ + size];
  }
  // The share in the rank of a set of the member at a place, counted from the last (1, 2, …).
  [[nodiscard]] std::uint64_t share(std::uint16_t member, std::size_t from_last) const {
    return choices(n_ - 1 - member, from_last);
  }

  [[nodiscard]] std::uint64_t rank(std::span<const std::uint16_t> set) const {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < set.size(); ++at) sum += share(set[at], set.size() - at);
    return sum;
  }

  // The set of a rank; its size is that of the span.
  void find(std::uint64_t rank, std::span<std::uint16_t> set) const {
    std::uint16_t member = 0;
    for (std::size_t at = 0; at < set.size(); ++at, ++member) {
      while (share(member, set.size() - at) > rank) ++member;
      set[at] = member;
      rank -= share(member, set.size() - at);
    }
  }

  // Moves on to the next set in lexicographic order, which must exist: the rank falls by one.
  void advance(std::span<std::uint16_t> set) const {
    std::size_t at = set.size() - 1;
    while (set[at] + set.size() - at == n_) --at;
    ++set[at];
    for (; at + 1 < set.size(); ++at) set[at + 1] = static_cast<std::uint16_t>(set[at] + 1);
  }

 private:
  std::size_t n_;
  std::size_t width_;
  std::vector<std::uint64_t> choices_;
};

}  // namespace credenet
