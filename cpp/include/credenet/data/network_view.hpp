#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace credenet {

// A discrete Bayesian network as flat arrays owned by the caller. The table of a variable has one
// row per joint state of its parents (in the order listed, the last parent changing fastest) and
// one entry per state of the variable.
struct NetworkView {
  std::span<const std::int32_t> n_states;
  std::span<const std::int64_t> parent_offsets;  // n + 1 entries into parents
  std::span<const std::int32_t> parents;
  std::span<const std::int64_t> table_offsets;  // n + 1 entries into tables
  std::span<const double> tables;

  [[nodiscard]] std::size_t n_variables() const { return n_states.size(); }

  [[nodiscard]] std::span<const std::int32_t> parents_of(std::size_t variable) const {
    const auto begin = static_cast<std::size_t>(parent_offsets[variable]);
    const auto end = static_cast<std::size_t>(parent_offsets[variable + 1]);
    return parents.subspan(begin, end - begin);
  }

  [[nodiscard]] std::size_t table_begin(std::size_t variable) const {
    return static_cast<std::size_t>(table_offsets[variable]);
  }

  [[nodiscard]] std::size_t table_size(std::size_t variable) const {
    return static_cast<std::size_t>(table_offsets[variable + 1]) - table_begin(variable);
  }
};

}  // namespace credenet
