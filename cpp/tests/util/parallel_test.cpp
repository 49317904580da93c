#include "credenet/util/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "check.hpp"

using credenet::parallel_blocks;

int main() {
  for (const unsigned n_threads : {1U, 2U, 7U}) {
    std::vector<int> visits(1000, 0);
    std::atomic<bool> stop{false};
    parallel_blocks(visits.size(), n_threads, stop,
                    [&](std::size_t block, unsigned) { visits[block] += 1; });
    for (const int count : visits) CHECK(count == 1);
  }

  {  // nothing starts once stop is set
    std::atomic<bool> stop{true};
    bool ran = false;
    parallel_blocks(10, 1, stop, [&](std::size_t, unsigned) { ran = true; });
    CHECK(!ran);
  }

  {  // an exception in any worker arrives at the caller
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
  return 0;
}
