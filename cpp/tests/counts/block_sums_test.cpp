#include "credenet/counts/block_sums.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

namespace {

template <typename Count>
void check_sums(std::size_t n_blocks, std::size_t n_cells) {
  credenet::Random random(n_blocks + 7 * n_cells);
  std::vector<std::uint32_t> times(n_blocks);
  for (auto& often : times) often = static_cast<std::uint32_t>(random.below(4));
  std::vector<Count> counts(n_blocks * n_cells);
  for (auto& count : counts) count = static_cast<Count>(random.below(256));
  std::vector<std::uint32_t> sums(n_cells, 99);
  credenet::sum_blocks<Count>(times, counts, sums);
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    std::uint32_t expected = 0;
    for (std::size_t block = 0; block < n_blocks; ++block) {
      expected += times[block] * counts[block * n_cells + cell];
    }
    CHECK(sums[cell] == expected);
  }
}

}  // namespace

int main() {
  for (const std::size_t n_blocks : {1U, 2U, 37U}) {
    for (const std::size_t n_cells : {1U, 3U, 16U, 33U, 100U}) {
      check_sums<std::uint8_t>(n_blocks, n_cells);
      check_sums<std::uint16_t>(n_blocks, n_cells);
      check_sums<std::uint32_t>(n_blocks, n_cells);
    }
  }
  return 0;
}
