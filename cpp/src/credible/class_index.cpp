#include "credenet/credible/class_index.hpp"

#include <algorithm>
#include <cassert>

namespace credenet {

ClassIndex::ClassIndex(std::size_t n_variables)
    : n_variables_(n_variables), joined_(n_variables * n_variables, 0) {}

std::vector<std::int64_t> ClassIndex::add(const FamilyLists& lists, const NetworkRows& networks) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(networks.size());
  for (std::size_t row = 0; row < networks.size(); ++row) {
    numbers.push_back(static_cast<std::int64_t>(add_one(lists, networks[row])));
  }
  return numbers;
}

std::size_t ClassIndex::add_one(const FamilyLists& lists, std::span<const std::int64_t> families) {
  assert(families.size() == n_variables_);
  const auto at = [&](std::size_t a, std::size_t b) -> std::uint8_t& {
    return joined_[std::min(a, b) * n_variables_ + std::max(a, b)];
  };
  const auto parents_of = [&](std::size_t child) {
    return lists.parents_of(static_cast<std::size_t>(families[child]));
  };
  // The skeleton as places in the matrix, then the colliders; both ascending, so the key is unique.
  pairs_.clear();
  for (std::size_t child = 0; child < n_variables_; ++child) {
    for (const std::int32_t tail : parents_of(child)) {
      const auto parent = static_cast<std::size_t>(tail);
      at(parent, child) = 1;
      pairs_.push_back(std::min(parent, child) * n_variables_ + std::max(parent, child));
    }
  }
  std::ranges::sort(pairs_);
  const std::size_t n_edges = pairs_.size();
  for (std::size_t child = 0; child < n_variables_; ++child) {
    const auto parents = parents_of(child);
    for (std::size_t second = 0; second < parents.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        const auto a = static_cast<std::size_t>(parents[first]);
        const auto b = static_cast<std::size_t>(parents[second]);
        if (at(a, b) == 0) pairs_.push_back((child * n_variables_ + a) * n_variables_ + b);
      }
    }
  }
  for (std::size_t edge = 0; edge < n_edges; ++edge) joined_[pairs_[edge]] = 0;
  pairs_.push_back(n_edges);
  const std::string key(reinterpret_cast<const char*>(pairs_.data()),
                        pairs_.size() * sizeof(std::uint64_t));
  return numbers_.try_emplace(key, numbers_.size()).first->second;
}

}  // namespace credenet
