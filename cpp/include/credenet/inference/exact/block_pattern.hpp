#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credenet {

enum class Marginalisation : std::uint8_t { kSum, kMax };

// How a smaller table runs along one block of consecutive cells of a larger one whose axes it
// shares in part: the block falls into runs of equal length, along each of which the small table
// either stays at one cell or goes on cell by cell. Absent axes have stride 0.
struct BlockPattern {
  std::size_t run = 1;
  bool stays = false;                  // Whether the small table stays at one cell along a run.
  std::vector<std::uint32_t> offsets;  // Offsets of the small table at the start of each run.
};

[[nodiscard]] BlockPattern block_pattern(std::span<const std::size_t> sizes,
                                         std::span<const std::size_t> strides);

// Multiplies along the pattern: block[i] *= table[..].
void multiply_block(std::span<double> block, const double* table, const BlockPattern& pattern);

// Adds along the pattern: block[i] += table[..].
void add_to_block(std::span<double> block, const double* table, const BlockPattern& pattern);

// Adds along the pattern, table[..] += block[i], or takes the larger of the two.
void marginalise_block(std::span<const double> block, double* table, const BlockPattern& pattern,
                       Marginalisation kind);

}  // namespace credenet
