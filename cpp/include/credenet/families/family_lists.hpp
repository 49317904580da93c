#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace credenet {

// The candidate parent sets of all variables, in flat arrays that others own. Variable v has
// families starts[v] to starts[v + 1], best first. Family k has scores[k] and the parents
// offsets[k] to offsets[k + 1].
struct FamilyLists {
  std::span<const std::int64_t> starts;
  std::span<const double> scores;
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> parents;

  [[nodiscard]] std::size_t n_variables() const { return starts.size() - 1; }
  [[nodiscard]] std::size_t begin(std::size_t variable) const {
    return static_cast<std::size_t>(starts[variable]);
  }
  [[nodiscard]] std::size_t end(std::size_t variable) const {
    return static_cast<std::size_t>(starts[variable + 1]);
  }
  [[nodiscard]] std::span<const std::int32_t> parents_of(std::size_t family) const {
    const auto first = static_cast<std::size_t>(offsets[family]);
    return parents.subspan(first, static_cast<std::size_t>(offsets[family + 1]) - first);
  }
};

}  // namespace credenet
