// The test compares the fallbacks of portable.hpp with what the compiler has.
#include "credenet/util/portable.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::JoinedThreads;
using credenet::Random;
using credenet::TwoWords;
using credenet::Wide;

namespace {

// A number with few or many bits, or with all of them.
std::uint64_t draw(Random& random) {
  const std::uint64_t word = random.below(8) == 0 ? ~std::uint64_t{0} : random();
  return word >> random.below(64);
}

bool are_equal(Wide a, TwoWords b) {
  return static_cast<std::uint64_t>(a) == static_cast<std::uint64_t>(b) &&
         static_cast<std::uint64_t>(a >> 64) == static_cast<std::uint64_t>(b >> 64);
}

void check_two_words() {
  Random random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const std::uint64_t words[] = {draw(random), draw(random), draw(random), draw(random)};
    const Wide a = Wide{words[0]} * words[1];
    const Wide b = Wide{words[2]} * words[3] + words[0];
    const TwoWords c = TwoWords{words[0]} * words[1];
    const TwoWords d = TwoWords{words[2]} * words[3] + words[0];
    CHECK(are_equal(a, c));
    CHECK(are_equal(b, d));
    CHECK(are_equal(a + b, c + d));
    CHECK(are_equal(a * b, c * d));
    const auto n_bits = static_cast<unsigned>(random.below(128));
    CHECK(are_equal(a >> n_bits, c >> n_bits));
    Wide sum = a;
    sum += b;
    sum >>= 64;
    TwoWords same = c;
    same += d;
    same >>= 64;
    CHECK(are_equal(sum, same));
  }
}

void check_overflows() {
  Random random(4);
  for (int trial = 0; trial < 20000; ++trial) {
    const std::uint64_t a = draw(random);
    const std::uint64_t b = draw(random);
    std::uint64_t result = 0;
    CHECK(credenet::add_overflows(a, b, result) ==
          (static_cast<std::uint64_t>((Wide{a} + b) >> 64) != 0));
    CHECK(result == a + b);
    CHECK(credenet::multiply_overflows(a, b, result) ==
          (static_cast<std::uint64_t>((Wide{a} * b) >> 64) != 0));
    CHECK(result == a * b);
  }
}

void check_threads() {
  std::atomic<int> n_done = 0;
  {
    JoinedThreads threads;
    for (int at = 0; at < 3; ++at) threads.start([&](int done) { n_done += done; }, at);
  }
  CHECK(n_done == 3);
}

}  // namespace

int main() {
  check_two_words();
  check_overflows();
  check_threads();
}
