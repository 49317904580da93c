#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "credenet/counts/row_table.hpp"

namespace credenet {

// The codes of a line of rows, from at most eight planes that are stride lines apart.
void unpack_line(const BitLine* plane, std::size_t n_planes, std::size_t stride,
                 std::array<std::uint8_t, BitLine::kRows>& codes);

// Adds how often each code occurs in the planes of a variable: one number for each code that
// n_planes planes can hold. Bits beyond the last row do not matter.
void add_code_counts(std::span<const BitLine> planes, std::size_t n_planes, std::size_t n_rows,
                     std::span<std::uint64_t> counts);

}  // namespace credenet
