#include "credenet/models/forward.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "small_network.hpp"

using credenet::NoControl;
using credenet::Random;
using credenet::sample_forward;

namespace {

NoControl no_control;

template <typename Code>
std::vector<Code> sample(const SmallNetwork& network, std::size_t n_rows, std::uint64_t seed,
                         unsigned n_threads) {
  std::vector<std::int32_t> order;
  for (std::size_t variable = 0; variable < network.size(); ++variable) {
    order.push_back(static_cast<std::int32_t>(variable));
  }
  std::vector<Code> codes(n_rows * network.size(), static_cast<Code>(-1));
  CHECK(sample_forward<Code>(network.view(), order, n_rows, seed, n_threads, no_control,
                             codes.data()));
  return codes;
}

// Checks that every cell is within seven standard deviations of what its table says, and is empty
// where it says 0.
template <typename Code>
void check_frequencies(std::uint64_t most_states, std::uint64_t seed) {
  Random random(seed);
  const SmallNetwork network(5, most_states, random);
  constexpr std::size_t n_rows = 100000;
  const std::vector<Code> codes = sample<Code>(network, n_rows, seed, 2);
  std::vector<double> counts(network.tables.size(), 0.0);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::vector<std::size_t> states = row_of(codes, n_rows, row);
    for (std::size_t variable = 0; variable < network.size(); ++variable) {
      CHECK(states[variable] < static_cast<std::size_t>(network.n_states[variable]));
      counts[network.cell(variable, states)] += 1.0;
    }
  }
  for (std::size_t variable = 0; variable < network.size(); ++variable) {
    const auto width = static_cast<std::size_t>(network.n_states[variable]);
    const auto begin = static_cast<std::size_t>(network.table_offsets[variable]);
    const auto end = static_cast<std::size_t>(network.table_offsets[variable + 1]);
    for (std::size_t first = begin; first < end; first += width) {
      double total = 0.0;
      for (std::size_t cell = first; cell < first + width; ++cell) total += counts[cell];
      for (std::size_t cell = first; cell < first + width; ++cell) {
        const double p = network.tables[cell];
        const double spread = std::sqrt(total * p * (1 - p));
        CHECK(p > 0.0 || counts[cell] == 0.0);
        CHECK(total < 100 || std::abs(counts[cell] - total * p) <= 7 * spread + 7);
      }
    }
  }
}

void check_threads() {
  Random random(5);
  const SmallNetwork network(8, 12, random);
  for (const std::size_t n_rows : {1, 1023, 1024, 1025, 10000}) {
    const std::vector<std::uint8_t> alone = sample<std::uint8_t>(network, n_rows, 3, 1);
    CHECK(sample<std::uint8_t>(network, n_rows, 3, 2) == alone);
    CHECK(sample<std::uint8_t>(network, n_rows, 3, 7) == alone);
    const std::vector<std::uint16_t> wide = sample<std::uint16_t>(network, n_rows, 3, 2);
    CHECK(std::vector<std::uint8_t>(wide.begin(), wide.end()) == alone);
  }
  CHECK(sample<std::uint8_t>(network, 1000, 3, 1) != sample<std::uint8_t>(network, 1000, 4, 1));
}

class StopAtOnce final : public credenet::Control {
 public:
  bool poll(const credenet::Progress&) override { return false; }
};

void check_stopping() {
  Random random(6);
  const SmallNetwork network(2, 3, random);
  const std::vector<std::int32_t> order{0, 1};
  std::vector<std::uint8_t> codes(2 * 100000);
  StopAtOnce stop;
  CHECK(!sample_forward<std::uint8_t>(network.view(), order, 100000, 1, 1, stop, codes.data()));
}

}  // namespace

int main() {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    check_frequencies<std::uint8_t>(2, seed);
    check_frequencies<std::uint8_t>(9, seed);
    check_frequencies<std::uint8_t>(20, seed);
    check_frequencies<std::uint16_t>(300, seed);
  }
  check_threads();
  check_stopping();
  return 0;
}
