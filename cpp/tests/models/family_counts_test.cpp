#include "credenet/models/family_counts.hpp"

#include <vector>

#include "check.hpp"
#include "small_network.hpp"

using credenet::family_counts;
using credenet::NoControl;
using credenet::Random;

namespace {

class StopAtOnce final : public credenet::Control {
 public:
  bool poll(const credenet::Progress&) override { return false; }
};

template <typename Code>
void check_counts(std::size_t n_rows, std::uint64_t most_states, bool weighted, Random& random) {
  const SmallNetwork network(6, most_states, random);
  const std::vector<Code> codes = network.random_codes<Code>(n_rows, random);
  std::vector<double> weights;
  for (std::size_t row = 0; weighted && row < n_rows; ++row) weights.push_back(random.uniform());
  std::vector<double> expected(network.tables.size(), 0.0);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::vector<std::size_t> states = row_of(codes, n_rows, row);
    for (std::size_t variable = 0; variable < network.size(); ++variable) {
      expected[network.cell(variable, states)] += weighted ? weights[row] : 1.0;
    }
  }
  NoControl no_control;
  for (const unsigned n_threads : {1U, 2U, 5U}) {
    std::vector<double> counts(network.tables.size(), -1.0);
    CHECK(family_counts<Code>(network.view(), codes.data(), n_rows, weights, n_threads, no_control,
                              counts));
    CHECK(counts == expected);  // The digits are the same: every cell is summed in row order.
  }
  StopAtOnce stop;
  std::vector<double> counts(network.tables.size());
  CHECK(!family_counts<Code>(network.view(), codes.data(), n_rows, weights, 1, stop, counts));
}

}  // namespace

int main() {
  Random random(1);
  for (const std::size_t n_rows : {0, 1, 1023, 1024, 1025, 3000}) {
    for (const bool weighted : {false, true}) {
      check_counts<std::uint8_t>(n_rows, 4, weighted, random);
      check_counts<std::uint16_t>(n_rows, 300, weighted, random);
    }
  }
  return 0;
}
