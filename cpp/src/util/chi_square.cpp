// The tail is the regularised upper incomplete gamma function Q(a, x), where a is half the degrees
// of freedom and x half the statistic. Below a + 1 it comes from the series of 1 - Q, above from
// the continued fraction of Q (modified Lentz). Both take about sqrt(a) terms near a, and few
// elsewhere. Quantiles come from Newton's method on the log of the smaller tail. That is nearly
// linear in x for the upper tail and in log x for the lower one, so a few steps from the mean give
// all digits. The score is the r* of the saddlepoint approximation (Barndorff-Nielsen 1990), right
// to about a percent far into the tails.
#include "credenet/util/chi_square.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "credenet/util/log_gamma.hpp"

namespace credenet {
namespace {

constexpr double kPrecision = 1e-15;  // Relative size of a term that ends a sum.
constexpr int kMostTerms = 1 << 22;   // Most terms of the series and of the continued fraction.

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
  constexpr double kTiny = 1e-300;  // Stands for 0 in a denominator (modified Lentz).
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

// The two tails, of which one is factor * quotient with the density times the statistic as factor.
struct Tails {
  double log_factor = 0;
  double quotient = 0;
  bool is_lower = false;  // Whether the tail is the lower one.

  [[nodiscard]] double upper() const {
    const double product = std::exp(log_factor) * quotient;
    return is_lower ? 1 - product : product;
  }
  // The log of a tail, and what one is over the density times the statistic.
  [[nodiscard]] std::pair<double, double> log_of(bool wants_lower) const {
    if (wants_lower == is_lower) return {log_factor + std::log(quotient), quotient};
    const double factor = std::exp(log_factor);
    const double tail = 1 - factor * quotient;
    return {std::log(tail), tail / factor};
  }
};

Tails tails(double statistic, double degrees_of_freedom) {
  const double a = degrees_of_freedom / 2;
  const double x = statistic / 2;
  const double log_factor = a * std::log(x) - x - log_gamma(a);
  const bool is_lower = x < a + 1;
  return {log_factor, is_lower ? by_series(a, x) : by_fraction(a, x), is_lower};
}

// The statistic with the given two tails, which add up to 1.
double quantile(double lower, double upper, double degrees_of_freedom) {
  constexpr double kMany = 1e9;  // Degrees of freedom beyond which the cube root is normal.
  if (degrees_of_freedom > kMany) {
    constexpr double kFewer = 1e7;  // Degrees of freedom whose quantile gives the score.
    const double score = cube_root_score(quantile(lower, upper, kFewer), kFewer);
    const double variance = 2 / (9 * degrees_of_freedom);
    return degrees_of_freedom * std::pow(1 - variance + score * std::sqrt(variance), 3);
  }
  const bool is_lower = lower <= upper;
  const double wanted = std::log(std::min(lower, upper));
  double statistic = degrees_of_freedom;
  double last = 1;  // Last relative step.
  for (int step = 0; step < 100 && statistic > 0; ++step) {
    const auto [value, inverse_slope] = tails(statistic, degrees_of_freedom).log_of(is_lower);
    const double move = (value - wanted) * inverse_slope;  // Relative step.
    const double factor = is_lower ? std::exp(-std::min(move, 300.0)) : std::max(1 + move, 0.1);
    statistic *= factor;
    const double change = std::abs(factor - 1);
    if (change <= 1e-15 || (change < 1e-8 && change >= last)) break;  // Only rounding is left.
    last = change;
  }
  return statistic;
}

}  // namespace

double chi_square_tail(double statistic, double degrees_of_freedom) {
  if (degrees_of_freedom <= 0 || statistic <= 0) return 1;
  return tails(statistic, degrees_of_freedom).upper();
}

double chi_square_critical(double probability, double degrees_of_freedom) {
  return quantile(1 - probability, probability, degrees_of_freedom);
}

double chi_square_quantile(double probability, double degrees_of_freedom) {
  return quantile(probability, 1 - probability, degrees_of_freedom);
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
