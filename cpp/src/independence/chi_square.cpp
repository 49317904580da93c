// The tail is the regularised upper incomplete gamma function Q(a, x) with a half the degrees of
// freedom and x half the statistic: below a + 1 by the series of 1 - Q, above by the continued
// fraction of Q (modified Lentz); both take about the root of a terms near a and few elsewhere.
// Critical values come from bisection, which a caller keeps by degrees of freedom. The score is the
// r* of the saddle point approximation (Barndorff-Nielsen 1990), right to a percent or so far into
// the tails.
#include "credenet/independence/chi_square.hpp"

#include <math.h>  // lgamma_r, which unlike std::lgamma writes no global

#include <algorithm>
#include <cmath>
#include <limits>

namespace credenet {
namespace {

constexpr double kPrecision = 1e-15;
constexpr int kMostTerms = 1 << 22;

double by_series(double a, double x) {
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < kMostTerms && term > sum * kPrecision; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

double by_fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double result = d;
  for (int n = 1; n < kMostTerms; ++n) {
    const double numerator = -n * (n - a);
    b += 2;
    d = numerator * d + b;
    if (std::abs(d) < kTiny) d = kTiny;
    c = b + numerator / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    const double factor = c * d;
    result *= factor;
    if (std::abs(factor - 1) < kPrecision) break;
  }
  return result;
}

// The cube root of X / df is nearly normal (Wilson and Hilferty 1931).
double cube_root_score(double statistic, double degrees_of_freedom) {
  const double variance = 2 / (9 * degrees_of_freedom);
  return (std::cbrt(statistic / degrees_of_freedom) - (1 - variance)) / std::sqrt(variance);
}

}  // namespace

double chi_square_tail(double statistic, double degrees_of_freedom) {
  if (degrees_of_freedom <= 0 || statistic <= 0) return 1;
  const double a = degrees_of_freedom / 2;
  const double x = statistic / 2;
  int sign = 0;
  const double factor = std::exp(a * std::log(x) - x - ::lgamma_r(a, &sign));
  return x < a + 1 ? 1 - factor * by_series(a, x) : factor * by_fraction(a, x);
}

double chi_square_critical(double probability, double degrees_of_freedom) {
  double low = 0;
  double high = degrees_of_freedom + 10;
  while (chi_square_tail(high, degrees_of_freedom) > probability) high *= 2;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (chi_square_tail(middle, degrees_of_freedom) > probability ? low : high) = middle;
  }
}

double chi_square_score(double statistic, double degrees_of_freedom) {
  if (degrees_of_freedom <= 0) return -std::numeric_limits<double>::infinity();
  const double x = std::max(statistic, 1e-300);
  const double above = x - degrees_of_freedom;
  const double deviance = above - degrees_of_freedom * std::log(x / degrees_of_freedom);
  const double root = std::copysign(std::sqrt(std::max(deviance, 0.0)), above);
  // Next to the mean both roots vanish, and their quotient with them.
  if (std::abs(root) < 0.05) return cube_root_score(x, degrees_of_freedom);
  return root + std::log(above / std::sqrt(2 * degrees_of_freedom) / root) / root;
}

}  // namespace credenet
