#pragma once

#include <cmath>

namespace credenet {

// A number as the sum of two doubles, about 104 bits (Dekker 1971). Operations are accurate to a
// few times 2^-104 of the sum of the absolute values that go in. The compiler must keep the order
// of additions and must not contract them.
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

// The sum; the first must not be smaller in absolute value.
[[nodiscard]] inline DoubleDouble quick_sum(double large, double small) {
  const double high = large + small;
  return {high, small - (high - large)};
}

[[nodiscard]] inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const double high = a.high + b.high;
  const double part = high - a.high;
  const double error = (a.high - (high - part)) + (b.high - part);
  return quick_sum(high, error + (a.low + b.low));
}

[[nodiscard]] inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const double high = a.high * b.high;
  const double error = std::fma(a.high, b.high, -high);
  return quick_sum(high, error + (a.high * b.low + a.low * b.high));
}

}  // namespace credenet
