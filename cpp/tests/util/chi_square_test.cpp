#include "credenet/util/chi_square.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"

using credenet::chi_square_critical;
using credenet::chi_square_quantile;
using credenet::chi_square_score;
using credenet::chi_square_tail;

namespace {

void check_chi_square() {
  // The 5 % and 0.1 % points of 1, 2, 10 and 100 degrees of freedom are from tables.
  CHECK(std::abs(chi_square_critical(0.05, 1) - 3.841458820694124) < 1e-9);
  CHECK(std::abs(chi_square_critical(0.05, 2) - 5.991464547107979) < 1e-9);
  CHECK(std::abs(chi_square_critical(0.05, 10) - 18.307038053275146) < 1e-9);
  CHECK(std::abs(chi_square_critical(0.001, 100) - 149.4492527790304) < 1e-7);
  CHECK(chi_square_tail(0, 3) == 1);
  // The tail is exp(-x / 2) for two degrees of freedom; the score follows far beyond where that is
  // 0.
  CHECK(std::abs(chi_square_tail(30, 2) / std::exp(-15.0) - 1) < 1e-12);
  double before = -1e9;
  for (double statistic = 0.001; statistic < 1e7; statistic *= 1.3) {
    const double score = chi_square_score(statistic, 2);
    CHECK(score > before);
    before = score;
    const double tail = std::exp(-statistic / 2);
    const auto normal_tail = [](double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); };
    if (statistic < 1000) {
      const double error = 0.01 * std::max(1.0, std::abs(score));
      CHECK(normal_tail(score + error) < tail && tail < normal_tail(score - error));
    }
  }
  CHECK(chi_square_score(5, 0) < -1e300);
}

bool close(double value, double expected, double tolerance) {
  return std::abs(value - expected) <= tolerance * expected;
}

void check_quantiles() {
  for (double freedom = 1; freedom < 1e6; freedom = std::ceil(freedom * 1.7)) {
    for (const double tail : {1e-12, 0.001, 0.05, 0.4}) {
      const double critical = chi_square_critical(tail, freedom);
      CHECK(close(chi_square_tail(critical, freedom), tail, 1e-8));
      CHECK(close(chi_square_quantile(1 - tail, freedom), critical, tail < 1e-9 ? 1e-5 : 1e-12));
      const double low = chi_square_quantile(tail, freedom);
      CHECK(low < freedom);
      // The logs that cancel in a tail grow with the degrees of freedom.
      CHECK(std::abs(1 - chi_square_tail(low, freedom) - tail) < 1e-11 + 1e-15 * freedom);
    }
  }
  // The quantile is -2 log(1 - p) with two degrees of freedom, also where the lower tail is next to
  // nothing.
  for (const double probability : {1e-300, 1e-20, 1e-5, 0.3, 0.999, 1 - 1e-12}) {
    CHECK(close(chi_square_quantile(probability, 2), -2 * std::log1p(-probability), 1e-13));
  }
  // These quantiles are from scipy.
  CHECK(close(chi_square_quantile(0.999, 1), 10.827566170662733, 1e-14));
  CHECK(close(chi_square_quantile(0.95, 12345), 12604.588728176492, 1e-12));
  // The quantile follows Cornish and Fisher's expansion, with the normal variate of 0.999.
  constexpr double kScore = 3.090232306167813;
  for (const double freedom : {1e7, 9e8, 2e9, 1e12, 1e18}) {
    const double root = std::sqrt(2 * freedom);
    const double third = (std::pow(kScore, 3) - 7 * kScore) / (9 * root);
    const double expected = freedom + kScore * root + (kScore * kScore - 1) * 2 / 3 + third;
    CHECK(close(chi_square_quantile(0.999, freedom), expected, 1e-10));
  }
}

}  // namespace

int main() {
  check_chi_square();
  check_quantiles();
  return 0;
}
