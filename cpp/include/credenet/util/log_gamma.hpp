#pragma once

#include <math.h>  // lgamma_r, which is not of the C++ standard

#if defined(__APPLE__)
extern "C" double lgamma_r(double, int*);  // The header has it only if _REENTRANT is defined.
#endif

namespace credenet {

// The logarithm of |Gamma(x)|. Threads may call it at once: std::lgamma writes the sign to a global
// variable, but for that of Windows.
[[nodiscard]] inline double log_gamma(double x) {
#if defined(_WIN32)
  return ::lgamma(x);
#else
  int sign = 0;
  return ::lgamma_r(x, &sign);
#endif
}

}  // namespace credenet
