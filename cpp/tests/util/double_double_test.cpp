#include "credenet/util/double_double.hpp"

#include <cmath>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::DoubleDouble;
using credenet::Random;

// Against long double, which has 64 bits: enough to see that the low part carries what a double
// loses.
int main() {
  Random random(1);
  const auto value = [](DoubleDouble x) {
    return static_cast<long double>(x.high) + static_cast<long double>(x.low);
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const double a = (random.uniform() - 0.5) * std::ldexp(1.0, static_cast<int>(random.below(30)));
    const double b = (random.uniform() - 0.5) * std::ldexp(1.0, static_cast<int>(random.below(30)));
    const long double size = std::fabs(a) + std::fabs(b);
    const DoubleDouble sum = DoubleDouble{a} + DoubleDouble{b};
    CHECK(sum.high == a + b);
    CHECK(std::fabs(value(sum) - (static_cast<long double>(a) + b)) <= size * 1e-18L);
    const DoubleDouble product = DoubleDouble{a} * DoubleDouble{b};
    CHECK(product.high == a * b);
    CHECK(std::fabs(value(product) - static_cast<long double>(a) * b) <=
          std::fabs(product.high) * 1e-18L);
  }
  // Many small terms, of which a double would lose every one.
  DoubleDouble sum{1.0};
  for (int term = 0; term < 1024; ++term) sum = sum + DoubleDouble{std::ldexp(1.0, -60)};
  CHECK(sum.high == 1.0 + std::ldexp(1.0, -50) && sum.low == 0);
}
