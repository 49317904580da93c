#include "credenet/scores/count_function.hpp"

#include <math.h>  // lgamma_r, which unlike std::lgamma writes no global

#include <algorithm>
#include <cmath>

namespace credenet {
namespace {

constexpr double kTableEntries = 4096;

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace

double log_regret(double n_states, double n) {
  if (n <= 0 || n_states <= 1) return 0.0;
  double term = 1.0;
  double sum = 1.0;  // C(2, n)
  for (double k = 0; k < n && term > sum * 1e-17; k += 1) {
    term *= 1.0 - k / n;
    sum += term;
  }
  double ratio = sum;  // C(K+1, n) / C(K, n), here for K = 1
  double result = std::log(sum);
  for (double states = 1; states + 1 < n_states; states += 1) {
    ratio = 1.0 + (n / states) / ratio;
    result += std::log(ratio);
  }
  return result;
}

void RegretTable::extend(double n_states) {
  constexpr double kLongest = 1 << 22;
  const double wanted = std::min(n_states, kLongest);
  while (static_cast<double>(table_.size()) < wanted) {
    const auto states = static_cast<double>(table_.size());  // of the last entry
    if (table_.size() == 1) {
      ratio_ = std::exp(log_regret(2, n_));
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
  const double a = n_states / n_;
  // c = (1 + sqrt(1 + 4 / a)) / 2 is next to 1 for large a, where ln c would lose its digits.
  const double above_one = (2 / a) / (1 + std::sqrt(1 + 4 / a));
  const double c = 1 + above_one;
  return n_ * (std::log(a) + (a + 2) * std::log1p(above_one) - 1 / c) - 0.5 * std::log(c + 2 / a);
}

CountFunction::CountFunction(Kind kind, double parameter, double total)
    : kind_(kind), parameter_(parameter) {
  if (kind == Kind::kLogRising) offset_ = log_gamma(parameter);
  const auto n_entries = static_cast<std::size_t>(std::min(total, kTableEntries)) + 1;
  std::vector<double> table(n_entries);
  for (std::size_t count = 0; count < n_entries; ++count) {
    table[count] = direct(static_cast<double>(count));
  }
  table_ = std::move(table);
}

CountFunction CountFunction::n_log_n(double total) { return {Kind::kNLogN, 0, total}; }

CountFunction CountFunction::log_rising(double base, double total) {
  return {Kind::kLogRising, base, total};
}

CountFunction CountFunction::regret(double n_states, double total) {
  return {Kind::kRegret, n_states, total};
}

double CountFunction::direct(double count) const {
  switch (kind_) {
    case Kind::kNLogN:
      return count > 0 ? count * std::log(count) : 0.0;
    case Kind::kLogRising:
      return count > 0 ? log_gamma(parameter_ + count) - offset_ : 0.0;
    case Kind::kRegret:
      return log_regret(parameter_, count);
  }
  return 0.0;
}

}  // namespace credenet
