#include "credenet/models/log_likelihood.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <vector>

#include "credenet/models/parent_keys.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {

template <typename Code>
bool log_likelihood(const FactorsView& network, const Code* codes, unsigned n_threads,
                    Control& control, std::span<double> log_probabilities) {
  constexpr std::size_t kBlockRows = 1024;
  const std::size_t n_rows = log_probabilities.size();
  std::vector<double> log_tables(network.tables.size());
  std::ranges::transform(network.tables, log_tables.begin(), [](double p) { return std::log(p); });

  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  parallel_blocks((n_rows + kBlockRows - 1) / kBlockRows, n_threads, stop,
                  [&](std::size_t block, unsigned worker) {
                    std::array<std::uint32_t, kBlockRows> keys;
                    const std::size_t first_row = block * kBlockRows;
                    const auto sums = log_probabilities.subspan(
                        first_row, std::min(kBlockRows, n_rows - first_row));
                    std::ranges::fill(sums, 0.0);
                    for (std::size_t variable = 0; variable < network.n_variables(); ++variable) {
                      parent_keys(codes, n_rows, first_row, network.parents_of(variable),
                                  network.n_states, std::span(keys).first(sums.size()));
                      const double* table = log_tables.data() + network.table_begin(variable);
                      const Code* states = codes + variable * n_rows + first_row;
                      const auto width = static_cast<std::size_t>(network.n_states[variable]);
                      for (std::size_t row = 0; row < sums.size(); ++row) {
                        sums[row] += table[keys[row] * width + states[row]];
                      }
                    }
                    done += sums.size();
                    if (worker == 0 && !control.poll({done.load(), n_rows})) stop = true;
                  });
  return !stop;
}

template bool log_likelihood(const FactorsView&, const std::uint8_t*, unsigned, Control&,
                             std::span<double>);
template bool log_likelihood(const FactorsView&, const std::uint16_t*, unsigned, Control&,
                             std::span<double>);

}  // namespace credenet
