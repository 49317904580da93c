#include "credenet/models/log_likelihood.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "small_network.hpp"

using credenet::NoControl;
using credenet::Random;

namespace {

template <typename Code>
void check_rows(std::size_t n_rows, std::uint64_t most_states, Random& random) {
  const SmallNetwork network(6, most_states, random);
  const std::vector<Code> codes = network.random_codes<Code>(n_rows, random);
  NoControl no_control;
  for (const unsigned n_threads : {1U, 3U}) {
    std::vector<double> result(n_rows, 1.0);
    CHECK(credenet::log_likelihood<Code>(network.view(), codes.data(), n_threads, no_control,
                                         result));
    for (std::size_t row = 0; row < n_rows; ++row) {
      const std::vector<std::size_t> states = row_of(codes, n_rows, row);
      double expected = 0.0;
      for (std::size_t variable = 0; variable < network.size(); ++variable) {
        const double p = network.tables[network.cell(variable, states)];
        expected += p > 0.0 ? std::log(p) : -std::numeric_limits<double>::infinity();
      }
      CHECK(result[row] == expected);  // The sum is the same in the same order.
    }
  }
}

}  // namespace

int main() {
  Random random(2);
  for (const std::size_t n_rows : {0, 1, 1024, 2500}) {
    check_rows<std::uint8_t>(n_rows, 4, random);
    check_rows<std::uint16_t>(n_rows, 300, random);
  }
  return 0;
}
