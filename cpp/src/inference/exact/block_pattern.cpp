// Short runs are spelled out cell by cell: a gather costs about one cycle per cell, a loop of two
// or three costs more. Sums along a run have a fixed number of partial sums, so that every clone
// gives the same digits.
#include "credenet/inference/exact/block_pattern.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

constexpr std::size_t kShortestRun = 6;  // Shorter runs are spelled out cell by cell.

CREDENET_CLONES void multiply_cells(double* __restrict block, const double* __restrict table,
                                    const std::uint32_t* __restrict offsets, std::size_t n) {
  for (std::size_t at = 0; at < n; ++at) block[at] *= table[offsets[at]];
}

CREDENET_CLONES void multiply_by_runs(double* __restrict block, const double* __restrict table,
                                      const std::uint32_t* __restrict offsets, std::size_t n_runs,
                                      std::size_t run) {
  for (std::size_t at = 0; at < n_runs; ++at, block += run) {
    const double* values = table + offsets[at];
    for (std::size_t cell = 0; cell < run; ++cell) block[cell] *= values[cell];
  }
}

CREDENET_CLONES void multiply_runs(double* __restrict block, const double* __restrict table,
                                   const std::uint32_t* __restrict offsets, std::size_t n_runs,
                                   std::size_t run) {
  for (std::size_t at = 0; at < n_runs; ++at, block += run) {
    const double value = table[offsets[at]];
    for (std::size_t cell = 0; cell < run; ++cell) block[cell] *= value;
  }
}

CREDENET_CLONES double sum_of(const double* values, std::size_t n) {
  constexpr std::size_t kLanes = 8;  // Number of partial sums.
  std::array<double, kLanes> lanes{};
  std::size_t at = 0;
  for (; at + kLanes <= n; at += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[at + lane];
  }
  double sum = ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
               ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
  for (; at < n; ++at) sum += values[at];
  return sum;
}

CREDENET_CLONES void sum_into_cells(const double* __restrict block, double* __restrict table,
                                    const std::uint32_t* __restrict offsets, std::size_t n_runs,
                                    std::size_t run) {
  for (std::size_t at = 0; at < n_runs; ++at, block += run) {
    double* values = table + offsets[at];
    for (std::size_t cell = 0; cell < run; ++cell) values[cell] += block[cell];
  }
}

CREDENET_CLONES double max_of(const double* values, std::size_t n) {
  constexpr std::size_t kLanes = 8;  // Number of partial maxima.
  std::array<double, kLanes> lanes;
  lanes.fill(values[0]);
  std::size_t at = 0;
  for (; at + kLanes <= n; at += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = std::max(lanes[lane], values[at + lane]);
    }
  }
  double largest = *std::ranges::max_element(lanes);
  for (; at < n; ++at) largest = std::max(largest, values[at]);
  return largest;
}

CREDENET_CLONES void max_into_cells(const double* __restrict block, double* __restrict table,
                                    const std::uint32_t* __restrict offsets, std::size_t n_runs,
                                    std::size_t run) {
  for (std::size_t at = 0; at < n_runs; ++at, block += run) {
    double* values = table + offsets[at];
    for (std::size_t cell = 0; cell < run; ++cell) {
      values[cell] = std::max(values[cell], block[cell]);
    }
  }
}

void scatter_sum(const double* block, double* table, const std::uint32_t* offsets, std::size_t n) {
  for (std::size_t at = 0; at < n; ++at) table[offsets[at]] += block[at];
}

template <typename Visit>
void for_each_cell(const BlockPattern& pattern, Visit&& visit) {
  std::size_t at = 0;
  for (const std::uint32_t offset : pattern.offsets) {
    for (std::size_t cell = 0; cell < pattern.run; ++cell, ++at) {
      visit(at, offset + (pattern.stays ? 0 : cell));
    }
  }
}

}  // namespace

BlockPattern block_pattern(std::span<const std::size_t> sizes,
                           std::span<const std::size_t> strides) {
  assert(sizes.size() == strides.size());
  BlockPattern pattern;
  std::size_t n_outer = sizes.size();
  if (n_outer > 0) {
    pattern.stays = strides[n_outer - 1] == 0;
    while (n_outer > 0 &&
           (pattern.stays ? strides[n_outer - 1] == 0 : strides[n_outer - 1] == pattern.run)) {
      pattern.run *= sizes[--n_outer];
    }
  }
  if (pattern.run < kShortestRun && n_outer > 0) {
    pattern.run = 1;
    pattern.stays = false;
    n_outer = sizes.size();
  }
  pattern.offsets.assign(1, 0);
  std::vector<std::uint32_t> longer;
  for (std::size_t axis = 0; axis < n_outer; ++axis) {
    longer.clear();
    for (const std::uint32_t offset : pattern.offsets) {
      for (std::size_t state = 0; state < sizes[axis]; ++state) {
        longer.push_back(offset + static_cast<std::uint32_t>(state * strides[axis]));
      }
    }
    pattern.offsets.swap(longer);
  }
  return pattern;
}

void multiply_block(std::span<double> block, const double* table, const BlockPattern& pattern) {
  const std::size_t n_runs = pattern.offsets.size();
  if (pattern.run == 1) {
    multiply_cells(block.data(), table, pattern.offsets.data(), n_runs);
  } else if (pattern.stays) {
    multiply_runs(block.data(), table, pattern.offsets.data(), n_runs, pattern.run);
  } else {
    multiply_by_runs(block.data(), table, pattern.offsets.data(), n_runs, pattern.run);
  }
}

void add_to_block(std::span<double> block, const double* table, const BlockPattern& pattern) {
  for_each_cell(pattern, [&](std::size_t at, std::size_t cell) { block[at] += table[cell]; });
}

void marginalise_block(std::span<const double> block, double* table, const BlockPattern& pattern,
                       Marginalisation kind) {
  if (pattern.stays && pattern.run > 1) {
    const double* values = block.data();
    for (const std::uint32_t offset : pattern.offsets) {
      if (kind == Marginalisation::kSum) {
        table[offset] += sum_of(values, pattern.run);
      } else {
        table[offset] = std::max(table[offset], max_of(values, pattern.run));
      }
      values += pattern.run;
    }
  } else if (kind == Marginalisation::kMax) {
    max_into_cells(block.data(), table, pattern.offsets.data(), pattern.offsets.size(),
                   pattern.run);
  } else if (pattern.run == 1) {
    scatter_sum(block.data(), table, pattern.offsets.data(), pattern.offsets.size());
  } else {
    sum_into_cells(block.data(), table, pattern.offsets.data(), pattern.offsets.size(),
                   pattern.run);
  }
}

}  // namespace credenet
