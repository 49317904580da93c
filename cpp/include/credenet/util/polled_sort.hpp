#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "credenet/util/control.hpp"

namespace credenet {

// Sorts values in blocks and merges the blocks, with a poll after each. False if it was stopped;
// then the values are in some order.
template <typename T>
[[nodiscard]] bool polled_sort(std::vector<T>& values, const Progress& progress, Control& control) {
  constexpr std::size_t kBlock = std::size_t{1} << 18;  // Values that are sorted between two polls.
  const auto place = [&](std::size_t at) {
    return values.begin() + static_cast<std::ptrdiff_t>(std::min(at, values.size()));
  };
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    std::sort(place(begin), place(begin + kBlock));
    if (!control.poll(progress)) return false;
  }
  for (std::size_t width = kBlock; width < values.size(); width *= 2) {
    for (std::size_t begin = 0; begin + width < values.size(); begin += 2 * width) {
      std::inplace_merge(place(begin), place(begin + width), place(begin + 2 * width));
      if (!control.poll(progress)) return false;
    }
  }
  return true;
}

}  // namespace credenet
