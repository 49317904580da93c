#pragma once

namespace credenet {

// P(X > statistic) for a chi-square variable X with these degrees of freedom.
[[nodiscard]] double chi_square_tail(double statistic, double degrees_of_freedom);

// The statistic whose tail has the given probability, in (0, 1).
[[nodiscard]] double chi_square_critical(double probability, double degrees_of_freedom);
// The statistic that X does not exceed with the given probability, in (0, 1).
[[nodiscard]] double chi_square_quantile(double probability, double degrees_of_freedom);

// The standard normal variate with about the same tail probability. It can be compared between
// degrees of freedom and does not underflow. Costs two logarithms and a root.
[[nodiscard]] double chi_square_score(double statistic, double degrees_of_freedom);

}  // namespace credenet
