#include "credenet/util/random.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "check.hpp"

using credenet::Random;

namespace {

// Whether a count is within six standard deviations of the expected one.
bool is_plausible(std::uint64_t count, double n, double p) {
  return std::abs(static_cast<double>(count) - n * p) < 6 * std::sqrt(n * p * (1 - p));
}

}  // namespace

int main() {
  {  // A stream is its seed and number, and nothing else.
    Random first(7, 3);
    Random again(7, 3);
    for (int draw = 0; draw < 100; ++draw) CHECK(first() == again());
  }
  {  // Streams and seeds differ from their first number on.
    std::set<std::uint64_t> first_numbers;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      for (std::uint64_t stream = 0; stream < 100; ++stream) {
        first_numbers.insert(Random(seed, stream)());
      }
    }
    CHECK(first_numbers.size() == 10000);
  }
  {  // Every bit is set half of the time, within a stream and across streams.
    constexpr int n = 20000;
    std::array<std::uint64_t, 64> within{};
    std::array<std::uint64_t, 64> across{};
    Random random(1);
    for (int draw = 0; draw < n; ++draw) {
      const std::uint64_t one = random();
      const std::uint64_t other = Random(1, static_cast<std::uint64_t>(draw))();
      for (std::size_t bit = 0; bit < 64; ++bit) {
        within[bit] += (one >> bit) & 1U;
        across[bit] += (other >> bit) & 1U;
      }
    }
    for (std::size_t bit = 0; bit < 64; ++bit) {
      CHECK(is_plausible(within[bit], n, 0.5));
      CHECK(is_plausible(across[bit], n, 0.5));
    }
  }
  {
    Random random(2);
    std::array<std::uint64_t, 10> bins{};
    for (int draw = 0; draw < 100000; ++draw) {
      const double x = random.uniform();
      CHECK(x >= 0.0 && x < 1.0);
      ++bins[static_cast<std::size_t>(x * 10)];
    }
    for (const std::uint64_t count : bins) CHECK(is_plausible(count, 100000, 0.1));
  }
  for (const std::uint64_t bound : {1U, 2U, 3U, 7U}) {
    Random random(bound);
    std::vector<std::uint64_t> bins(bound);
    for (int draw = 0; draw < 70000; ++draw) {
      const std::uint64_t value = random.below(bound);
      CHECK(value < bound);
      ++bins[value];
    }
    for (const std::uint64_t count : bins) {
      CHECK(bound == 1 ? count == 70000
                       : is_plausible(count, 70000, 1.0 / static_cast<double>(bound)));
    }
  }
  // The bound is three quarters of the range: the biased way would give the lower third twice its
  // share.
  {
    const std::uint64_t bound = std::uint64_t{3} << 62;
    Random random(3);
    std::array<std::uint64_t, 3> thirds{};
    for (int draw = 0; draw < 30000; ++draw) ++thirds[random.below(bound) >> 62];
    for (const std::uint64_t count : thirds) CHECK(is_plausible(count, 30000, 1.0 / 3));
  }
  return 0;
}
