#include "credenet/util/parallel.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::parallel_blocks;
using credenet::parallel_sort;
using credenet::Random;

namespace {

void check_sort(std::size_t n_values, unsigned n_threads, Random& random) {
  std::vector<std::size_t> values(n_values);
  std::iota(values.begin(), values.end(), std::size_t{0});
  const std::vector<std::size_t> ascending = values;
  for (std::size_t at = n_values; at > 1; --at) std::swap(values[at - 1], values[random.below(at)]);
  parallel_sort(values, n_threads, std::less<>{});
  CHECK(values == ascending);
  parallel_sort(values, n_threads, std::less<>{});
  CHECK(values == ascending);
  parallel_sort(values, n_threads, std::greater<>{});
  CHECK(std::equal(values.rbegin(), values.rend(), ascending.begin(), ascending.end()));
}

// Checks that without memory for the stacks of threads, the calling thread does all blocks. A
// sanitizer cannot be without memory.
void check_without_threads() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlimit usual{};
  CHECK(getrlimit(RLIMIT_AS, &usual) == 0);
  const rlimit none{1, usual.rlim_max};
  CHECK(setrlimit(RLIMIT_AS, &none) == 0);
  std::atomic<bool> stop{false};
  std::atomic<int> n_blocks{0};
  parallel_blocks(100, 64, stop, [&](std::size_t, unsigned) { ++n_blocks; });
  CHECK(setrlimit(RLIMIT_AS, &usual) == 0);
  CHECK(n_blocks == 100);
#endif
}

}  // namespace

int main() {
  for (const unsigned n_threads : {1U, 2U, 7U}) {
    std::vector<int> visits(1000, 0);
    std::atomic<bool> stop{false};
    parallel_blocks(visits.size(), n_threads, stop,
                    [&](std::size_t block, unsigned) { visits[block] += 1; });
    for (const int count : visits) CHECK(count == 1);
  }

  {  // Nothing starts once stop is set.
    std::atomic<bool> stop{true};
    bool ran = false;
    parallel_blocks(10, 1, stop, [&](std::size_t, unsigned) { ran = true; });
    CHECK(!ran);
  }

  {  // An exception in any worker arrives at the caller.
    std::atomic<bool> stop{false};
    const auto fail = [](std::size_t block, unsigned) {
      if (block == 500) throw std::runtime_error("block 500");
    };
    CHECK_THROWS(parallel_blocks(1000, 4, stop, fail), std::runtime_error);
    CHECK(stop);
  }

  {
    std::atomic<bool> stop{false};
    parallel_blocks(0, 4, stop, [&](std::size_t, unsigned) { CHECK(false); });
  }

  check_without_threads();
  Random random(1);
  for (const unsigned n_threads : {0U, 1U, 2U, 7U}) {
    for (const std::size_t n_values : {0, 1, 2, 1000, (1 << 14) - 1, 1 << 14, 50'001}) {
      check_sort(n_values, n_threads, random);
    }
  }
  return 0;
}
