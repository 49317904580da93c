#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "credenet/counts/row_table.hpp"

namespace credenet {

enum class CountingMethod : std::uint8_t { kBitmap, kKey, kCells };

// Lines of a block of rows, in which long data are counted. A bitmap takes 4 KB then, and the
// bitmaps of the first variables of a set stay in the second-level cache.
inline constexpr std::size_t kBlockLines = 64;
inline constexpr std::size_t kBlockRows = kBlockLines * BitLine::kRows;

// The method that is estimated to be fastest for a set, or the given one if it can be used. All
// methods give the same counts.
[[nodiscard]] CountingMethod counting_method(const RowTable& rows,
                                             std::span<const std::uint16_t> variables,
                                             std::optional<CountingMethod> given);

}  // namespace credenet
