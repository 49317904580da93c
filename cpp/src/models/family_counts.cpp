// One pass over the rows is made per family, families in parallel: every cell is summed in row
// order by one thread, so weighted counts do not depend on the number of threads.
#include "credenet/models/family_counts.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "credenet/models/parent_keys.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {

template <typename Code>
bool family_counts(const FactorsView& structure, const Code* codes, std::size_t n_rows,
                   std::span<const double> weights, unsigned n_threads, Control& control,
                   std::span<double> counts) {
  constexpr std::size_t kBlockRows = 1024;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  parallel_blocks(
      structure.n_variables(), n_threads, stop, [&](std::size_t variable, unsigned worker) {
        std::array<std::uint32_t, kBlockRows> keys;
        const Code* states = codes + variable * n_rows;
        const auto width = static_cast<std::size_t>(structure.n_states[variable]);
        const auto table =
            counts.subspan(structure.table_begin(variable), structure.table_size(variable));
        std::ranges::fill(table, 0.0);
        for (std::size_t first_row = 0; first_row < n_rows; first_row += kBlockRows) {
          const std::size_t size = std::min(kBlockRows, n_rows - first_row);
          parent_keys(codes, n_rows, first_row, structure.parents_of(variable), structure.n_states,
                      std::span(keys).first(size));
          for (std::size_t row = 0; row < size; ++row) {
            const std::size_t cell = keys[row] * width + states[first_row + row];
            table[cell] += weights.empty() ? 1.0 : weights[first_row + row];
          }
        }
        done += 1;
        if (worker == 0 && !control.poll({done.load(), structure.n_variables()})) stop = true;
      });
  return !stop;
}

template bool family_counts(const FactorsView&, const std::uint8_t*, std::size_t,
                            std::span<const double>, unsigned, Control&, std::span<double>);
template bool family_counts(const FactorsView&, const std::uint16_t*, std::size_t,
                            std::span<const double>, unsigned, Control&, std::span<double>);

}  // namespace credenet
