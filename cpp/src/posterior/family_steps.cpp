#include "credenet/posterior/family_steps.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "credenet/util/random.hpp"

namespace credenet {
namespace {

// Whether a family has the parents of another but for one.
bool is_without(std::span<const std::int32_t> smaller, std::span<const std::int32_t> larger,
                std::int32_t parent) {
  if (smaller.size() + 1 != larger.size()) return false;
  std::size_t at = 0;
  for (const std::int32_t other : larger) {
    if (other != parent && smaller[at++] != other) return false;
  }
  return true;
}

struct Pair {
  std::uint32_t smaller = 0;
  std::uint32_t larger = 0;
  std::int32_t parent = 0;
};

// Families are found by the sum of a random number for each parent.
std::vector<Pair> pairs_of(const FamilyLists& lists) {
  std::vector<std::uint64_t> numbers(lists.n_variables());
  Random random(1);
  for (std::uint64_t& number : numbers) number = random();
  std::vector<Pair> pairs;
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    known.clear();
    const auto hash_of = [&](std::size_t family) {
      std::uint64_t hash = 0;
      for (const std::int32_t p : lists.parents_of(family)) {
        hash += numbers[static_cast<std::size_t>(p)];
      }
      return hash;
    };
    for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
      known.emplace(hash_of(family), static_cast<std::uint32_t>(family));
    }
    for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
      const std::uint64_t hash = hash_of(family);
      const auto parents = lists.parents_of(family);
      for (const std::int32_t parent : parents) {
        const auto found = known.find(hash - numbers[static_cast<std::size_t>(parent)]);
        if (found == known.end()) continue;
        if (!is_without(lists.parents_of(found->second), parents, parent)) continue;
        pairs.push_back({found->second, static_cast<std::uint32_t>(family), parent});
      }
    }
  }
  return pairs;
}

}  // namespace

FamilySteps::FamilySteps(const FamilyLists& lists)
    : starts_(lists.scores.size() + 1), n_removals_(lists.scores.size()) {
  const std::vector<Pair> pairs = pairs_of(lists);
  for (const Pair& pair : pairs) {
    ++n_removals_[pair.larger];
    ++starts_[pair.larger + 1];
    ++starts_[pair.smaller + 1];
  }
  for (std::size_t family = 1; family < starts_.size(); ++family) {
    starts_[family] += starts_[family - 1];
  }
  steps_.resize(2 * pairs.size());
  std::vector<std::size_t> next_removal(starts_.begin(), starts_.end() - 1);
  std::vector<std::size_t> next_addition(next_removal);
  for (std::size_t family = 0; family < next_addition.size(); ++family) {
    next_addition[family] += n_removals_[family];
  }
  for (const auto& [smaller, larger, parent] : pairs) {
    const double gain = lists.scores[larger] - lists.scores[smaller];
    steps_[next_removal[larger]++] = {parent, smaller, -gain, std::exp(std::min(0.0, -gain))};
    steps_[next_addition[smaller]++] = {parent, larger, gain, std::exp(std::min(0.0, gain))};
  }
}

const FamilySteps::Step* FamilySteps::removal(std::size_t family, std::size_t parent) const {
  for (const Step& step : removals(family)) {
    if (static_cast<std::size_t>(step.parent) == parent) return &step;
  }
  return nullptr;
}

}  // namespace credenet
