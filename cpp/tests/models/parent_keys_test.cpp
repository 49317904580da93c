#include "credenet/models/parent_keys.hpp"

#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"
#include "small_network.hpp"

using credenet::Random;

namespace {

template <typename Code>
void check_keys(Random& random) {
  for (int trial = 0; trial < 100; ++trial) {
    const SmallNetwork network(5, 4, random);
    const std::size_t n_rows = 1 + random.below(20);
    const auto codes = network.random_codes<Code>(n_rows, random);
    const std::size_t first = random.below(n_rows);
    std::vector<std::uint32_t> keys(n_rows - first, 99);
    for (std::size_t variable = 0; variable < network.size(); ++variable) {
      const auto parents = network.view().parents_of(variable);
      credenet::parent_keys(codes.data(), n_rows, first, parents, std::span(network.n_states),
                            std::span(keys));
      for (std::size_t row = first; row < n_rows; ++row) {
        std::size_t expected = 0;
        for (const std::int32_t parent : parents) {
          const auto at = static_cast<std::size_t>(parent);
          expected =
              expected * static_cast<std::size_t>(network.n_states[at]) + codes[at * n_rows + row];
        }
        CHECK(keys[row - first] == expected);
      }
    }
  }
}

}  // namespace

int main() {
  Random random(4);
  check_keys<std::uint8_t>(random);
  check_keys<std::uint16_t>(random);
}
