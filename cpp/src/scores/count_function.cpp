#include "credenet/scores/count_function.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "credenet/util/log_gamma.hpp"

namespace credenet {
namespace {

constexpr double kTableEntries = 4096;  // Largest count of a table.

// Largest base for which the logarithms of both gamma functions are small enough to be subtracted.
// Above it five terms of Stirling's series have an error below 2e-16.
constexpr double kLargeBase = 16;

// The value of ln Gamma(x) less (x - 1/2) ln(x) - x + ln(2 pi)/2.
double stirling_rest(double x) {
  const double inverse = 1 / x;
  const double square = inverse * inverse;
  return inverse *
         (1.0 / 12 -
          square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square / 1188))));
}

// The log of the rising factorial by Stirling's series, whose terms base ln(base) cancel: (base +
// count - 1/2) ln(base + count) - (base - 1/2) ln(base) is (base - 1/2) ln(1 + count/base) + count
// ln(base + count).
double log_rising_of_large(double base, double count, double unit) {
  const double sum = base + count;
  return (base - 0.5) * std::log1p(count / base) + count * (std::log(sum / unit) - 1) +
         (stirling_rest(sum) - stirling_rest(base));
}

// C(2, n). For large n by Ramanujan's formula: the sum of the falling factorials without the first
// is n! e^n / 2 n^n - t, with t = 1/3 + 4 / (135 (n + k)) and 2/21 <= k <= 8/45 (proven by
// Flajolet, Grabner, Kirschenhofer and Prodinger, On Ramanujan's Q-function, 1995). The first term
// is sqrt(pi n / 2), times e to the rest of Stirling's series. For these n the whole interval of k
// is less than a unit in the last place of the sum.
double regret_of_two_states(double n) {
  constexpr double kMany = 1e5;  // Observations above which Ramanujan's formula is used.
  if (n > kMany) {
    const double half = std::sqrt(std::numbers::pi * n / 2) * std::exp(stirling_rest(n));
    return half + (2.0 / 3 - 4.0 / (135 * (n + 2.0 / 21)));
  }
  double term = 1.0;
  double sum = 1.0;
  for (double k = 0; k < n && term > sum * 1e-17; k += 1) {
    term *= 1.0 - k / n;
    sum += term;
  }
  return sum;
}

// The value of ln(1 / (1 - u)) - u, given also 1 - u.
double log_rest(double u, double one_less_u) {
  // Largest u for which the series is used: above it the difference keeps its digits.
  constexpr double kSmall = 0.1;
  if (u > kSmall) return -std::log(one_less_u) - u;
  double sum = 0;
  double power = u;
  for (double k = 2; k < 18; k += 1) {
    power *= u;
    sum += power / k;
  }
  return sum;
}

}  // namespace

double log_rising(double base, double count, double unit) {
  if (count <= 0) return 0.0;
  if (base > kLargeBase) return log_rising_of_large(base, count, unit);
  const double rising = log_gamma(base + count) - log_gamma(base);
  return unit == 1 ? rising : rising - count * std::log(unit);
}

double log_regret(double n_states, double n) {
  if (n <= 0 || n_states <= 1) return 0.0;
  double ratio = regret_of_two_states(n);  // Ratio C(K+1, n) / C(K, n), here for K = 1.
  double result = std::log(ratio);
  for (double states = 1; states + 1 < n_states; states += 1) {
    ratio = 1.0 + (n / states) / ratio;
    result += std::log(ratio);
  }
  return result;
}

void RegretTable::extend(double n_states) {
  constexpr double kLongest = 1 << 22;  // Entries of the longest table.
  const double wanted = std::min(n_states, kLongest);
  while (static_cast<double>(table_.size()) < wanted) {
    const auto states = static_cast<double>(table_.size());  // Number of states of the last entry.
    if (table_.size() == 1) {
      ratio_ = n_ > 0 ? regret_of_two_states(n_) : 1.0;
    } else {
      ratio_ = 1.0 + (n_ / (states - 1)) / ratio_;
    }
    table_.push_back(table_.back() + std::log(ratio_));
  }
}

double RegretTable::operator()(double n_states) const {
  if (n_ <= 0) return 0.0;
  if (n_states <= static_cast<double>(table_.size())) {
    return table_[static_cast<std::size_t>(n_states) - 1];
  }
  // The expansion is n (ln a + (a + 2) ln c - 1 / c) - ln(c + 2 / a) / 2 with c = (1 + sqrt(1 + 4 /
  // a)) / 2. As a c (c - 1) = 1, the bracket is a ln c + ln(1 / (1 - 1/c)) - 1/c, which loses no
  // digits where a is small. For large a, c is next to 1, and its logarithm is that of 1 and what
  // is above.
  const double a = n_states / n_;
  const double above_one = (2 / a) / (1 + std::sqrt(1 + 4 / a));
  const double c = 1 + above_one;
  return n_states * std::log1p(above_one) + n_ * log_rest(1 / c, above_one / c) -
         0.5 * std::log(c + 2 / a);
}

CountFunction::CountFunction(Kind kind, double parameter, double total, double unit)
    : kind_(kind), parameter_(parameter), unit_(unit) {
  if (kind == Kind::kLogRising && parameter <= kLargeBase) {
    offset_ = log_gamma(parameter);
    log_unit_ = std::log(unit);
  }
  const auto n_entries = static_cast<std::size_t>(std::min(total, kTableEntries)) + 1;
  std::vector<double> table(n_entries);
  for (std::size_t count = 0; count < n_entries; ++count) {
    table[count] = direct(static_cast<double>(count));
  }
  table_ = std::move(table);
}

CountFunction CountFunction::n_log_n(double total) { return {Kind::kNLogN, 0, total}; }

CountFunction CountFunction::log_rising(double base, double total, double unit) {
  return {Kind::kLogRising, base, total, unit};
}

CountFunction CountFunction::regret(double n_states, double total) {
  return {Kind::kRegret, n_states, total};
}

double CountFunction::direct(double count) const {
  switch (kind_) {
    case Kind::kNLogN:
      return count > 0 ? count * std::log(count) : 0.0;
    case Kind::kLogRising:
      if (count <= 0) return 0.0;
      return parameter_ > kLargeBase ? log_rising_of_large(parameter_, count, unit_)
                                     : log_gamma(parameter_ + count) - offset_ - count * log_unit_;
    case Kind::kRegret:
      return log_regret(parameter_, count);
  }
  return 0.0;
}

}  // namespace credenet
