#include "credenet/scores/count_function.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"

using credenet::CountFunction;
using credenet::log_regret;
using credenet::log_rising;
using credenet::RegretTable;

namespace {

bool close(double value, long double expected, double tolerance = 1e-12) {
  return std::abs(value - expected) <= tolerance * std::max(1.0L, std::abs(expected));
}

void check_n_log_n() {
  for (const double total : {0.0, 10.0, 4096.0, 20'000.5}) {
    const CountFunction function = CountFunction::n_log_n(total);
    CHECK(function(0) == 0);
    for (const double count : {1.0, 2.0, 9.0, 4095.0, 4096.0, 4097.0, 1e7, 0.25, 17.5, 4096.5}) {
      CHECK(close(function(count), count * std::log(static_cast<long double>(count))));
    }
  }
}

void check_log_rising() {
  for (const double base : {1e-9, 0.03, 0.5, 1.0, 3.0, 64.0}) {
    for (const double total : {0.0, 10.0, 10'000.0}) {
      const CountFunction function = CountFunction::log_rising(base, total);
      long double sum = 0;  // Logarithm of base (base + 1) … (base + count - 1).
      for (double count = 0; count < 10'000; count += 1) {
        CHECK(close(function(count), sum));
        CHECK(function(static_cast<std::uint32_t>(count)) == function(count));
        sum += std::log(static_cast<long double>(base) + count);
      }
      for (const double count : {0.25, 0.999, 1.5, 4095.5, 4096.25, 1e6 + 0.125}) {
        CHECK(close(function(count), std::lgamma(static_cast<long double>(base) + count) -
                                         std::lgamma(static_cast<long double>(base))));
      }
    }
  }
}

// Checks any base against the sum of ln((base + i) / unit).
void check_log_rising_of_any_base() {
  for (const double base : {1e-100, 1e-9, 0.5, 15.9, 16.1, 1e3, 1e8, 1e15, 1e17, 1e40, 1e100}) {
    for (const double unit : {1.0, 8 * std::max(base, 1000.0)}) {
      const CountFunction function = CountFunction::log_rising(base, 10'000, unit);
      long double sum = 0;
      for (double count = 0; count < 10'000; count += 1) {
        double of_row = std::abs(std::log((base + count) / unit)) + 1;
        double of_base = 1;
        if (base <= 16) {
          of_row += std::log(unit);
          of_base += std::lgamma(base);
        }
        const double error = 1e-15 * (count * of_row + of_base);
        CHECK(std::abs(function(count) - sum) <= error);
        CHECK(std::abs(log_rising(base, count, unit) - sum) <= error);
        sum += std::log((static_cast<long double>(base) + count) / unit);
      }
    }
  }
}

// The sum over all ways to share out n observations of the largest likelihood of each.
long double direct_regret(int n_states, int rest, int n) {
  if (n_states == 1) return std::pow(static_cast<long double>(rest) / n, rest);
  long double sum = 0;
  long double ways = 1;
  for (int count = 0; count <= rest; ++count) {
    sum += ways * std::pow(static_cast<long double>(count) / n, count) *
           direct_regret(n_states - 1, rest - count, n);
    ways *= static_cast<long double>(rest - count) / (count + 1);
  }
  return sum;
}

void check_regret() {
  for (const double n : {0.0, 1.0, 7.5, 1000.0}) {
    CHECK(log_regret(1, n) == 0);
    CHECK(log_regret(5, 0) == 0);
    CHECK(CountFunction::regret(3, n)(n) == log_regret(3, n));
  }
  for (int n = 1; n <= 12; ++n) {
    for (int n_states = 2; n_states <= 5; ++n_states) {
      CHECK(close(log_regret(n_states, n), std::log(direct_regret(n_states, n, n))));
    }
  }
  for (const int n : {1, 2, 5, 40, 300, 1000}) {
    long double before = 1;
    long double regret = direct_regret(2, n, n);
    for (int n_states = 2; n_states <= 50; ++n_states) {
      CHECK(close(log_regret(n_states, n), std::log(regret)));
      const long double next = regret + before * n / (n_states - 1);
      before = regret;
      regret = next;
    }
  }
  const CountFunction function = CountFunction::regret(4, 6000);
  for (const double count : {1.0, 4096.0, 4097.0, 6000.0, 12.5}) {
    CHECK(function(count) == log_regret(4, count));
  }
}

// Checks that large n take no longer than small ones: the sum has 9 sqrt(n) terms.
void check_regret_of_many() {
  for (const double n : {99'999.5, 1e5, 100'000.5, 3e5, 1e7, 1e9}) {
    long double sum = 1;
    long double term = 1;
    for (long double k = 0; k < n && term > 1e-20L; k += 1) {
      term *= 1 - k / n;
      sum += term;
    }
    CHECK(close(log_regret(2, n), std::log(sum), 1e-15));
    CHECK(close(log_regret(3, n), std::log(sum + n), 1e-15));
  }
  // Beyond the first term, 2/3 is all that is left of the sum.
  for (const double n : {1e15, 1e100, 1e300}) {
    const double root = std::sqrt(std::acos(-1.0) * n / 2);
    CHECK(close(log_regret(2, n), std::log(root + 2.0L / 3), 1e-15));
    CHECK(close(log_regret(3, n), std::log(static_cast<long double>(n) + root), 1e-15));
  }
}

// The regret by the recurrence with more digits.
long double recurrent_regret(double n_states, double n) {
  long double ratio = std::exp(static_cast<long double>(log_regret(2, n)));
  long double sum = std::log(ratio);
  for (double states = 1; states + 1 < n_states; states += 1) {
    ratio = 1 + n / states / ratio;
    sum += std::log(ratio);
  }
  return sum;
}

void check_regret_table() {
  for (const double n : {0.0, 0.5, 1.0, 17.0, 33.25, 10'000.0}) {
    RegretTable table(n);
    for (const double limit : {1.0, 2.0, 50.0, 20.0, 700.0}) {
      table.extend(limit);
      for (double n_states = 1; n_states <= limit; n_states += 1) {
        CHECK(close(table(n_states), log_regret(n_states, n)));
      }
    }
  }
}

// Checks where the table ends, and further out than any recurrence could go.
void check_expansion() {
  constexpr double kBeyond = (1 << 22) + 5;
  for (const double n : {1.0, 1000.0, 1e7, 1e12, 1e15, 1e300}) {
    RegretTable table(n);
    CHECK(std::abs(table(kBeyond) - recurrent_regret(kBeyond, n)) < 1e-6);
  }
  for (const double n_states : {1e7, 1e10, 1e15, 1e18, 1e30}) {
    CHECK(std::abs(RegretTable(1)(n_states) - std::log(n_states)) < 1e-6);
    const double two = std::log(n_states) + std::log1p((n_states - 1) / 4);
    CHECK(std::abs(RegretTable(2)(n_states) - two) < 1e-6);
  }
}

}  // namespace

int main() {
  check_n_log_n();
  check_log_rising();
  check_log_rising_of_any_base();
  check_regret();
  check_regret_of_many();
  check_regret_table();
  check_expansion();
  return 0;
}
