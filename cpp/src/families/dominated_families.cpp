// The families of a variable are gone through best first. An index holds those that are better than
// the current one by more than the slack, by a sum of random words of their parents. So any proper
// subset found there decides. The subsets of a set are looked up in Gray code order, with one word
// added or subtracted at a time. A set of many parents is compared with all better sets instead. A
// hit is checked parent by parent. If two sets ever had the same sum, a family that could be pruned
// would be kept.
#include "credenet/families/dominated_families.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <span>

#include "credenet/util/flat_index.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

// Most parents of a set all of whose subsets are looked up.
constexpr std::size_t kMostListed = 12;

struct Sum {
  std::uint64_t words = 0;
  [[nodiscard]] std::uint64_t hash() const { return words; }
  friend bool operator==(const Sum&, const Sum&) = default;
};

class BetterFamilies {
 public:
  BetterFamilies(const FamilyLists& lists, const std::vector<std::uint64_t>& words)
      : lists_(lists), words_(words), inside_(words.size(), 0) {}

  void add(std::size_t family) {
    Sum sum;
    for (const std::int32_t parent : lists_.parents_of(family)) sum.words += word(parent);
    if (index_.insert(sum) == families_.size()) families_.push_back(family);
  }

  // Whether one of the better families is a proper subset.
  [[nodiscard]] bool has_subset_of(std::size_t family) {
    const auto parents = lists_.parents_of(family);
    for (const std::int32_t parent : parents) inside_[static_cast<std::size_t>(parent)] = 1;
    const bool found = parents.size() <= kMostListed ? is_found(parents) : is_compared(parents);
    for (const std::int32_t parent : parents) inside_[static_cast<std::size_t>(parent)] = 0;
    return found;
  }

 private:
  [[nodiscard]] std::uint64_t word(std::int32_t parent) const {
    return words_[static_cast<std::size_t>(parent)];
  }

  [[nodiscard]] bool is_found(std::span<const std::int32_t> parents) const {
    Sum sum;
    std::size_t subset = 0;
    for (std::size_t step = 1;; ++step) {
      const std::uint32_t at = index_.find(sum);
      if (at != FlatIndex<Sum>::kAbsent && is_proper_subset(families_[at], parents.size())) {
        return true;
      }
      if (step == std::size_t{1} << parents.size()) return false;
      const auto changed = static_cast<std::size_t>(std::countr_zero(step));
      subset ^= std::size_t{1} << changed;
      if ((subset >> changed & 1) != 0) {
        sum.words += word(parents[changed]);
      } else {
        sum.words -= word(parents[changed]);
      }
    }
  }

  [[nodiscard]] bool is_compared(std::span<const std::int32_t> parents) const {
    return std::ranges::any_of(
        families_, [&](std::size_t other) { return is_proper_subset(other, parents.size()); });
  }

  [[nodiscard]] bool is_proper_subset(std::size_t family, std::size_t size) const {
    const auto parents = lists_.parents_of(family);
    return parents.size() < size &&
           std::ranges::all_of(
               parents,
               [&](std::int32_t parent) { return inside_[static_cast<std::size_t>(parent)] != 0; });
  }

  const FamilyLists& lists_;
  const std::vector<std::uint64_t>& words_;
  std::vector<std::uint8_t> inside_;  // Marks of the current set, by variable.
  FlatIndex<Sum> index_;  // Index of the better families; families_ says which these are.
  std::vector<std::size_t> families_;
};

}  // namespace

std::vector<std::uint8_t> dominated_families(const FamilyLists& lists, double slack) {
  Random random(1);
  std::vector<std::uint64_t> words(lists.n_variables());
  std::ranges::generate(words, std::ref(random));
  std::vector<std::uint8_t> dominated(lists.scores.size(), 0);
  for (std::size_t variable = 0; variable < lists.n_variables(); ++variable) {
    BetterFamilies better(lists, words);
    std::size_t next = lists.begin(variable);  // Next family to be added to the better ones.
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      while (lists.scores[next] - lists.scores[family] > slack) better.add(next++);
      dominated[family] = better.has_subset_of(family) ? 1 : 0;
    }
  }
  return dominated;
}

}  // namespace credenet
