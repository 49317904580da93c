#include "credenet/effects/dirichlet_draws.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace credenet {
namespace {

constexpr double kNegligible = 40;  // Logarithm of a ratio that does not matter.

// The normal density in layers of equal area; the last one holds the tail beyond kTail.
struct Layers {
  static constexpr std::size_t kNumber = 128;           // Number of layers: seven bits choose one.
  static constexpr double kTail = 3.442619855899;       // Point at which the tail begins.
  static constexpr double kArea = 9.91256303526217e-3;  // Area of each layer.

  Layers() noexcept {
    double density = std::exp(-0.5 * kTail * kTail);
    edges[0] = kArea / density;
    edges[1] = kTail;
    for (std::size_t at = 2; at < kNumber; ++at) {
      edges[at] = std::sqrt(-2 * std::log(kArea / edges[at - 1] + density));
      density = std::exp(-0.5 * edges[at] * edges[at]);
    }
    edges[kNumber] = 0;
    for (std::size_t at = 0; at < kNumber; ++at) inside[at] = edges[at + 1] / edges[at];
  }

  std::array<double, kNumber + 1> edges{};
  std::array<double, kNumber> inside{};  // Share of a layer that is below the density.
};

const Layers kLayers;

// A uniform number in (0, 1], so that its logarithm is finite.
double positive_uniform(Random& random) { return 1.0 - random.uniform(); }

double tail_draw(Random& random) {
  while (true) {
    const double x = std::log(positive_uniform(random)) / Layers::kTail;
    const double y = std::log(positive_uniform(random));
    if (-2 * y >= x * x) return Layers::kTail - x;
  }
}

}  // namespace

double normal_draw(Random& random) {
  const Layers& all = kLayers;
  while (true) {
    const std::uint64_t word = random();
    const auto layer = static_cast<std::size_t>(word & (Layers::kNumber - 1));
    const double u = 2 * (static_cast<double>(word >> 11) * 0x1.0p-53) - 1;
    const double x = u * all.edges[layer];
    if (std::abs(u) < all.inside[layer]) return x;
    if (layer == 0) return u < 0 ? -tail_draw(random) : tail_draw(random);
    const double low = std::exp(-0.5 * (all.edges[layer] * all.edges[layer] - x * x));
    const double high = std::exp(-0.5 * (all.edges[layer + 1] * all.edges[layer + 1] - x * x));
    if (high + random.uniform() * (low - high) < 1) return x;
  }
}

GammaShape::GammaShape(double shape) {
  assert(shape > 0);
  if (shape < 1) {
    power_ = 1 / shape;
    negligible_ = std::exp(-kNegligible * shape);
    shape += 1;
  }
  d_ = shape - 1.0 / 3;
  c_ = 1 / std::sqrt(9 * d_);
}

double GammaShape::large_draw(Random& random) const {
  while (true) {
    const double x = normal_draw(random);
    const double root = 1 + c_ * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = positive_uniform(random);
    const double square = x * x;
    if (u < 1 - 0.0331 * square * square) return d_ * v;
    if (std::log(u) < 0.5 * square + d_ * (1 - v + std::log(v))) return d_ * v;
  }
}

double GammaShape::draw(Random& random) const {
  if (is_large()) return large_draw(random);
  const double u = positive_uniform(random);
  return u < negligible_ ? 0 : large_draw(random) * std::exp(std::log(u) * power_);
}

double GammaShape::log_power(Random& random) const {
  return std::log(positive_uniform(random)) * power_;
}

DirichletShape::DirichletShape(std::span<const double> shapes) {
  for (const double shape : shapes) add(GammaShape(shape));
}

void DirichletShape::clear() {
  parts_.clear();
  has_large_ = false;
}

void DirichletShape::add(const GammaShape& part) {
  parts_.push_back(part);
  has_large_ = has_large_ || part.is_large();
}

void DirichletShape::draw(Random& random, std::span<double> shares) const {
  assert(shares.size() == parts_.size());
  if (!has_large_) {
    for (std::size_t at = 0; at < parts_.size(); ++at) shares[at] = parts_[at].log_power(random);
    const double most = *std::ranges::max_element(shares);
    for (std::size_t at = 0; at < parts_.size(); ++at) {
      const double power = shares[at] - most;
      shares[at] = power < -kNegligible ? 0 : std::exp(power) * parts_[at].large_draw(random);
    }
  } else {
    for (std::size_t at = 0; at < parts_.size(); ++at) shares[at] = parts_[at].draw(random);
  }
  double sum = 0;
  for (const double share : shares) sum += share;
  for (double& share : shares) share /= sum;
}

}  // namespace credenet
