#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "credenet/counts/block_table.hpp"
#include "small_data.hpp"

// Small data packed in blocks of bit planes, as a block file has them.
struct PackedBlocks {
  std::vector<std::vector<credenet::BitLine>> planes;  // Planes of each block and variable.
  std::vector<std::vector<std::uint32_t>> multiplicities;
  std::vector<credenet::PlaneRows> blocks;
  std::vector<std::vector<std::uint16_t>> observed;

  // If rows are merged, every other row of a block is the same as the row before and left out.
  template <typename Code>
  PackedBlocks(const SmallData<Code>& data, std::size_t block_rows, bool merge) {
    using credenet::BitLine;
    observed.resize(data.n_variables);
    for (std::uint16_t variable = 0; variable < data.n_variables; ++variable) {
      for (const auto& [cell, count] : data.counts({&variable, 1})) {
        observed[variable].push_back(static_cast<std::uint16_t>(cell[0]));
      }
    }
    const std::size_t step = merge ? 2 : 1;
    const std::size_t n_blocks = (data.n_rows + block_rows - 1) / block_rows;
    planes.reserve(n_blocks * data.n_variables);
    multiplicities.resize(n_blocks);
    for (std::size_t block = 0; block < n_blocks; ++block) {
      const std::size_t begin = block * block_rows;
      const std::size_t end = std::min(begin + block_rows, data.n_rows);
      credenet::PlaneRows rows;
      rows.n_rows = (end - begin) / step;
      const std::size_t n_lines = (rows.n_rows + BitLine::kRows - 1) / BitLine::kRows;
      for (std::size_t variable = 0; variable < data.n_variables; ++variable) {
        const auto n_planes = static_cast<std::size_t>(
            std::bit_width(static_cast<unsigned>(observed[variable].back())));
        std::vector<BitLine>& lines = planes.emplace_back(n_planes * n_lines);
        for (std::size_t row = 0; row < rows.n_rows; ++row) {
          const std::uint64_t code = data.at(begin + row * step, variable);
          for (std::size_t bit = 0; bit < n_planes; ++bit) {
            lines[bit * n_lines + row / 512].words[row % 512 / 64] |= (code >> bit & 1U)
                                                                      << (row % 64);
          }
        }
        rows.planes.emplace_back(lines);
        rows.n_planes.push_back(static_cast<std::uint8_t>(n_planes));
      }
      if (merge) multiplicities[block].assign(rows.n_rows, 2);
      rows.multiplicities = multiplicities[block];
      blocks.push_back(std::move(rows));
    }
  }

  [[nodiscard]] credenet::BlockTable table() const { return {blocks, observed, observed}; }
};
