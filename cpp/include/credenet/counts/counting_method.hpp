#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "credenet/counts/row_table.hpp"

namespace credenet {

enum class CountingMethod : std::uint8_t { kBitmap, kKey, kCells };

// Rows that are gone through together where there are more: 64 lines, so that a bitmap takes 4 KB
// and those of a set's beginning stay in the second-level cache.
inline constexpr std::size_t kBlockLines = 64;
inline constexpr std::size_t kBlockRows = kBlockLines * BitLine::kRows;

// The way to count a set that is estimated to take least time, or the given one where it can be
// used. Counts are the same either way.
[[nodiscard]] CountingMethod counting_method(const RowTable& rows,
                                             std::span<const std::uint16_t> variables,
                                             std::optional<CountingMethod> given);

}  // namespace credenet
