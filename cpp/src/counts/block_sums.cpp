#include "credenet/counts/block_sums.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

template <typename Count>
inline void add_blocks(const std::uint32_t* times, std::size_t n_blocks, const Count* counts,
                       std::size_t n_cells, std::uint32_t* sums) {
  for (std::size_t block = 0; block < n_blocks; ++block, counts += n_cells) {
    const std::uint32_t often = times[block];
    if (often == 0) continue;
    for (std::size_t cell = 0; cell < n_cells; ++cell) sums[cell] += often * counts[cell];
  }
}

// CREDENET_CLONES needs a function that is no template.
CREDENET_CLONES void add(const std::uint32_t* times, std::size_t n_blocks,
                         const std::uint8_t* counts, std::size_t n_cells, std::uint32_t* sums) {
  add_blocks(times, n_blocks, counts, n_cells, sums);
}
CREDENET_CLONES void add(const std::uint32_t* times, std::size_t n_blocks,
                         const std::uint16_t* counts, std::size_t n_cells, std::uint32_t* sums) {
  add_blocks(times, n_blocks, counts, n_cells, sums);
}
CREDENET_CLONES void add(const std::uint32_t* times, std::size_t n_blocks,
                         const std::uint32_t* counts, std::size_t n_cells, std::uint32_t* sums) {
  add_blocks(times, n_blocks, counts, n_cells, sums);
}

}  // namespace

template <typename Count>
void sum_blocks(std::span<const std::uint32_t> times, std::span<const Count> counts,
                std::span<std::uint32_t> sums) {
  assert(counts.size() == times.size() * sums.size());
  std::ranges::fill(sums, 0U);
  add(times.data(), times.size(), counts.data(), sums.size(), sums.data());
}

template void sum_blocks(std::span<const std::uint32_t>, std::span<const std::uint8_t>,
                         std::span<std::uint32_t>);
template void sum_blocks(std::span<const std::uint32_t>, std::span<const std::uint16_t>,
                         std::span<std::uint32_t>);
template void sum_blocks(std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                         std::span<std::uint32_t>);

}  // namespace credenet
