#include "credenet/local/pair_information.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "credenet/counts/row_table.hpp"
#include "local/data_information.hpp"
#include "small_data.hpp"
#include "stop_at.hpp"

using credenet::NoControl;
using credenet::pair_information;
using credenet::Random;
using credenet::RowTable;
using credenet::Status;

namespace {

void test_against_the_definition() {
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t n = 1 + random.below(9);
    SmallData<std::uint8_t> data(70, n, 4, 0.5, random);
    if (trial % 3 == 0) data.draw_weights(random);
    const RowTable rows(data.codes.data(), 70, n, data.weights);
    NoControl control;
    const auto table = pair_information(rows, 1, control);
    CHECK(table.status == Status::kComplete);
    for (std::size_t a = 0; a < n; ++a) {
      CHECK(table.values[a * n + a] == 0);
      for (std::size_t b = 0; b < a; ++b) {
        const double expected =
            data_information(data, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
        CHECK(std::abs(table.values[a * n + b] - expected) < 1e-9);
        CHECK(table.values[a * n + b] >= 0);
        CHECK(table.values[a * n + b] == table.values[b * n + a]);
      }
    }
    CHECK(pair_information(rows, 3, control).values == table.values);
  }
}

void test_stops() {
  Random random(2);
  const SmallData<std::uint8_t> data(50, 6, 2, 0.6, random);
  const RowTable rows(data.codes.data(), 50, 6, {});
  StopAt control(3);
  CHECK(pair_information(rows, 1, control).status == Status::kStopped);
}

}  // namespace

int main() {
  test_against_the_definition();
  test_stops();
}
