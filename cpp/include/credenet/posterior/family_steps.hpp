#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// The listed families that differ from a family by one parent. There are at most twice as many such
// steps as parents in all families.
class FamilySteps {
 public:
  struct Step {
    std::int32_t parent = 0;
    std::uint32_t family = 0;  // The family with the parent added or removed.
    double gain = 0;           // Gain of the score.
    double rate = 0;           // Rate of the step, min(1, exp(gain)).
  };

  explicit FamilySteps(const FamilyLists& lists);

  // An upper estimate of the memory.
  [[nodiscard]] static std::size_t bytes(const FamilyLists& lists) {
    return lists.scores.size() * (sizeof(std::size_t) + sizeof(std::uint16_t)) +
           2 * lists.parents.size() * sizeof(Step);
  }

  [[nodiscard]] std::span<const Step> removals(std::size_t family) const {
    return std::span(steps_).subspan(starts_[family], n_removals_[family]);
  }
  [[nodiscard]] std::span<const Step> additions(std::size_t family) const {
    const std::size_t first = starts_[family] + n_removals_[family];
    return std::span(steps_).subspan(first, starts_[family + 1] - first);
  }
  // The step that removes the parent; nothing if the smaller family is not listed.
  [[nodiscard]] const Step* removal(std::size_t family, std::size_t parent) const;

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::uint16_t> n_removals_;
  std::vector<Step> steps_;
};

}  // namespace credenet
