#include "credenet/inference/exact/block_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using namespace credenet;

// The test compares a table over some of the axes of a block cell by cell.
int main() {
  Random random(9);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::size_t> sizes(random.below(4));
    for (std::size_t& size : sizes) size = 1 + random.below(4);
    std::vector<std::size_t> strides(sizes.size(), 0);
    std::size_t n_cells = 1;
    std::size_t n_small = 1;
    for (std::size_t axis = sizes.size(); axis-- > 0;) {
      n_cells *= sizes[axis];
      if (random.below(2) == 0) continue;
      strides[axis] = n_small;
      n_small *= sizes[axis];
    }
    const BlockPattern pattern = block_pattern(sizes, strides);
    // Cell of the small table for each cell of the block.
    std::vector<std::size_t> small_of(n_cells, 0);
    for (std::size_t cell = 0; cell < n_cells; ++cell) {
      std::size_t rest = cell;
      for (std::size_t axis = sizes.size(); axis-- > 0; rest /= sizes[axis]) {
        small_of[cell] += rest % sizes[axis] * strides[axis];
      }
    }
    std::vector<double> block(n_cells);
    for (double& value : block) value = random.uniform();
    std::vector<double> table(n_small);
    for (double& value : table) value = random.uniform();

    std::vector<double> product = block;
    multiply_block(product, table.data(), pattern);
    std::vector<double> sum = block;
    add_to_block(sum, table.data(), pattern);
    std::vector<double> summed = table;
    marginalise_block(block, summed.data(), pattern, Marginalisation::kSum);
    std::vector<double> largest = table;
    marginalise_block(block, largest.data(), pattern, Marginalisation::kMax);
    std::vector<double> slow_sum = table;
    std::vector<double> slow_largest = table;
    for (std::size_t cell = 0; cell < n_cells; ++cell) {
      CHECK(product[cell] == block[cell] * table[small_of[cell]]);
      CHECK(sum[cell] == block[cell] + table[small_of[cell]]);
      slow_sum[small_of[cell]] += block[cell];
      slow_largest[small_of[cell]] = std::max(slow_largest[small_of[cell]], block[cell]);
    }
    CHECK(largest == slow_largest);
    for (std::size_t at = 0; at < n_small; ++at) CHECK(std::abs(summed[at] - slow_sum[at]) < 1e-12);
  }
}
