// The test checks that codes of bit planes are counted as one by one, whatever the bits beyond the
// last row are.
#include "credenet/counts/bit_planes.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::BitLine;

namespace {

void check_counts(std::size_t n_rows, std::size_t n_planes, credenet::Random& random) {
  const std::size_t n_lines = (n_rows + BitLine::kRows - 1) / BitLine::kRows;
  std::vector<BitLine> planes(n_planes * n_lines);
  std::vector<std::uint64_t> expected(std::size_t{1} << n_planes, 3);
  std::vector<std::uint64_t> counts = expected;
  for (std::size_t row = 0; row < n_lines * BitLine::kRows; ++row) {
    const std::uint64_t code = random.below(std::uint64_t{1} << n_planes);
    for (std::size_t bit = 0; bit < n_planes; ++bit) {
      planes[bit * n_lines + row / 512].words[row % 512 / 64] |= (code >> bit & 1U) << (row % 64);
    }
    if (row < n_rows) ++expected[code];
  }
  credenet::add_code_counts(planes, n_planes, n_rows, counts);
  CHECK(counts == expected);
}

}  // namespace

int main() {
  credenet::Random random(5);
  for (const std::size_t n_rows : {1U, 64U, 511U, 512U, 513U, 8192U, 8193U, 20000U}) {
    for (std::size_t n_planes = 0; n_planes <= 11; ++n_planes) {
      check_counts(n_rows, n_planes, random);
    }
  }
  check_counts(3000, 16, random);
  return 0;
}
