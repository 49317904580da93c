#pragma once

#include <math.h>  // lgamma_r

namespace credenet {

// The logarithm of |Gamma(x)|. Threads may call it at once: std::lgamma writes the sign to a global
// variable.
[[nodiscard]] inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace credenet
