#include "credenet/util/polled_sort.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"
#include "stop_at.hpp"

int main() {
  credenet::Random random(1);
  credenet::NoControl no_control;
  for (const std::size_t size : {0U, 1U, 5U, 300'000U, 1'000'000U}) {
    std::vector<std::uint64_t> values(size);
    for (std::uint64_t& value : values) value = random.below(size / 2 + 1);
    std::vector<std::uint64_t> expected = values;
    std::ranges::sort(expected);
    for (const int n_polls : {1, 3}) {
      std::vector<std::uint64_t> stopped = values;
      StopAt stop(n_polls);
      const bool is_sorted = credenet::polled_sort(stopped, {}, stop);
      CHECK(is_sorted == (size == 0));
      std::ranges::sort(stopped);
      CHECK(stopped == expected);
      if (size < 500'000) break;
    }
    CHECK(credenet::polled_sort(values, {}, no_control));
    CHECK(values == expected);
  }
  return 0;
}
