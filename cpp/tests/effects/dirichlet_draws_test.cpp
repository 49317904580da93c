#include "credenet/effects/dirichlet_draws.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"

using namespace credenet;

namespace {

constexpr std::size_t kDraws = 400'000;

bool is_near(double found, double expected, double variance) {
  return std::abs(found - expected) < 5 * std::sqrt(variance / kDraws);
}

void test_normal_draws() {
  Random random(1);
  double sum = 0;
  double squares = 0;
  double fourths = 0;
  std::size_t n_tail = 0;
  for (std::size_t at = 0; at < kDraws; ++at) {
    const double x = normal_draw(random);
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
    n_tail += std::abs(x) > 3.442619855899 ? 1 : 0;
  }
  CHECK(is_near(sum / kDraws, 0, 1));
  CHECK(is_near(squares / kDraws, 1, 2));
  CHECK(is_near(fourths / kDraws, 3, 96));
  const double tail = std::erfc(3.442619855899 / std::sqrt(2.0));
  CHECK(is_near(static_cast<double>(n_tail) / kDraws, tail, tail));
}

// Checks that mean and variance are the shape; so is the mean of the draws in two parts.
void test_gamma_draws() {
  for (const double shape : {0.02, 0.3, 0.999, 1.0, 2.5, 40.0, 1e6}) {
    const GammaShape gamma(shape);
    Random random(2);
    double sum = 0;
    double squares = 0;
    double by_log = 0;
    for (std::size_t at = 0; at < kDraws; ++at) {
      const double x = gamma.draw(random);
      CHECK(x >= 0);
      sum += x - shape;
      squares += (x - shape) * (x - shape);
      if (!gamma.is_large()) by_log += std::exp(gamma.log_power(random)) * gamma.large_draw(random);
    }
    CHECK(is_near(sum / kDraws, 0, shape));
    CHECK(is_near(squares / kDraws, shape, 2 * shape * shape + 6 * shape));
    CHECK(gamma.is_large() == (shape >= 1));
    if (!gamma.is_large()) CHECK(is_near(by_log / kDraws, shape, shape));
  }
}

// Checks E p_i = a_i / a and E p_i p_j = a_i (a_j + [i = j]) / (a (a + 1)).
void test_dirichlet_draws() {
  for (const std::vector<double>& shapes : {std::vector{0.001, 0.002, 0.001}, std::vector{0.2, 0.7},
                                            std::vector{3.0, 0.05, 20.0, 1.0}, std::vector{5.0}}) {
    const std::size_t n = shapes.size();
    double total = 0;
    for (const double shape : shapes) total += shape;
    const DirichletShape dirichlet(shapes);
    Random random(3);
    std::vector<double> shares(n);
    std::vector<double> means(n);
    std::vector<double> products(n * n);
    for (std::size_t at = 0; at < kDraws; ++at) {
      dirichlet.draw(random, shares);
      double sum = 0;
      for (const double share : shares) sum += share;
      CHECK(std::abs(sum - 1) < 1e-12);
      for (std::size_t i = 0; i < n; ++i) {
        means[i] += shares[i] / kDraws;
        for (std::size_t j = 0; j < n; ++j) products[i * n + j] += shares[i] * shares[j] / kDraws;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(is_near(means[i], shapes[i] / total, 0.25 + 1e-9));
      for (std::size_t j = 0; j < n; ++j) {
        const double expected = shapes[i] * (shapes[j] + (i == j ? 1 : 0)) / (total * (total + 1));
        CHECK(is_near(products[i * n + j], expected, 0.25 + 1e-9));
      }
    }
  }
}

}  // namespace

int main() {
  test_normal_draws();
  test_gamma_draws();
  test_dirichlet_draws();
}
