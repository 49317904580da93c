// Draws from Dirichlet distributions, by gamma draws (Marsaglia and Tsang 2000; normal draws by
// their ziggurat, in the form of Doornik 2005). A gamma draw of a shape below 1 is that of the
// shape plus 1, times a power of a uniform draw. That power underflows for small shapes, so it is
// kept as a logarithm where no shape of a distribution reaches 1. Often one of the powers is so
// much larger than the others that nothing else is to be drawn.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "credenet/util/random.hpp"

namespace credenet {

[[nodiscard]] double normal_draw(Random& random);

// One gamma distribution, prepared for many draws.
class GammaShape {
 public:
  explicit GammaShape(double shape);

  [[nodiscard]] bool is_large() const { return power_ == 0; }
  // A draw; 0 replaces a draw below e^-40 unless the shape is large.
  [[nodiscard]] double draw(Random& random) const;
  // The two factors of a draw for a shape that is not large: the power of a uniform draw, of which
  // this is the logarithm, and a draw of the shape plus 1.
  [[nodiscard]] double log_power(Random& random) const;
  [[nodiscard]] double large_draw(Random& random) const;

 private:
  double d_ = 0;
  double c_ = 0;
  double power_ = 0;       // Exponent of the uniform draw: 1 / shape for shapes below 1.
  double negligible_ = 0;  // Uniform draws below this give less than e^-40.
};

// One Dirichlet distribution, prepared for many draws.
class DirichletShape {
 public:
  DirichletShape() = default;
  // Takes positive shapes, at least one.
  explicit DirichletShape(std::span<const double> shapes);

  // Begins a distribution that is made of parts, which are added one after another.
  void clear();
  void add(const GammaShape& part);

  void draw(Random& random, std::span<double> shares) const;

 private:
  std::vector<GammaShape> parts_;
  bool has_large_ = false;
};

}  // namespace credenet
