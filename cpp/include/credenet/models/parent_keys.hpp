#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace credenet {

// Sets keys[row] to the index of the joint parent state in that row, the last parent changing
// fastest. codes is column-major with column_stride entries a column; rows are [first_row,
// first_row + keys.size()).
template <typename Code>
void parent_keys(const Code* codes, std::size_t column_stride, std::size_t first_row,
                 std::span<const std::int32_t> parents, std::span<const std::int32_t> n_states,
                 std::span<std::uint32_t> keys) {
  if (parents.empty()) {
    for (std::uint32_t& key : keys) key = 0;
    return;
  }
  bool first = true;
  for (const std::int32_t parent : parents) {
    const auto index = static_cast<std::size_t>(parent);
    const Code* column = codes + index * column_stride + first_row;
    const auto radix = static_cast<std::uint32_t>(n_states[index]);
    if (first) {
      for (std::size_t row = 0; row < keys.size(); ++row) keys[row] = column[row];
      first = false;
    } else {
      for (std::size_t row = 0; row < keys.size(); ++row) {
        keys[row] = keys[row] * radix + column[row];
      }
    }
  }
}

}  // namespace credenet
