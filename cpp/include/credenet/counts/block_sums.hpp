#pragma once

#include <cstdint>
#include <span>

namespace credenet {

// The table of a sample of blocks of rows: sums[cell] = sum of times[block] * counts[block][cell]
// over the blocks. The counts of a block take a type that holds the number of its rows.
template <typename Count>
void sum_blocks(std::span<const std::uint32_t> times, std::span<const Count> counts,
                std::span<std::uint32_t> sums);

}  // namespace credenet
