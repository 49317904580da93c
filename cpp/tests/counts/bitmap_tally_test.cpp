#include "credenet/counts/bitmap_tally.hpp"

#include <vector>

#include "check.hpp"
#include "small_data.hpp"

using credenet::BitLine;
using credenet::BitmapTally;
using credenet::Random;
using credenet::RowTable;

// The test checks that with and without wide instructions, in one part and in parts of lines, the
// table is that of all rows.
int main() {
  Random random(1);
  for (const std::size_t n_rows : {1, 100, 511, 512, 513, 2000, 3000}) {
    const SmallData<std::uint8_t> data(n_rows, 6, 4, 0.3, random);
    const RowTable table(data.codes.data(), n_rows, data.n_variables, {});
    BitmapTally plain(table, false);
    BitmapTally best(table);
    for (int repeat = 0; repeat < 40; ++repeat) {
      const auto variables = random_variables(data.n_variables, random.uniform(), random);
      if (variables.empty()) continue;
      std::vector<std::uint32_t> expected;
      for (const auto& [cell, count] : data.counts(variables)) {
        expected.push_back(static_cast<std::uint32_t>(count));
      }
      std::size_t n_cells = 1;
      for (const std::uint16_t variable : variables) n_cells *= table.n_observed(variable);
      for (BitmapTally* tally : {&plain, &best}) {
        for (const std::size_t n_lines : {table.n_lines(), std::size_t{2}}) {
          std::vector<std::uint32_t> counts(n_cells, 0);
          for (std::size_t line = 0; line < table.n_lines(); line += n_lines) {
            tally->add(variables, line, std::min(n_lines, table.n_lines() - line), counts.data());
          }
          std::erase(counts, 0U);
          CHECK(counts == expected);
        }
      }
    }
  }
  return 0;
}
