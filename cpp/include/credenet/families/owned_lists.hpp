#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// Lists of families that own their arrays; they grow by one family and one variable at a time.
struct OwnedLists {
  std::vector<std::int64_t> starts{0};
  std::vector<double> scores;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> parents;

  void add_family(double score, std::span<const std::int32_t> members) {
    scores.push_back(score);
    parents.insert(parents.end(), members.begin(), members.end());
    offsets.push_back(static_cast<std::int64_t>(parents.size()));
  }
  void end_variable() { starts.push_back(static_cast<std::int64_t>(scores.size())); }

  [[nodiscard]] FamilyLists view() const { return {starts, scores, offsets, parents}; }
};

}  // namespace credenet
