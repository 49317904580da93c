#pragma once

namespace credenet {

// P(X > statistic) for X chi-square with so many degrees of freedom.
[[nodiscard]] double chi_square_tail(double statistic, double degrees_of_freedom);

// The statistic whose tail has the given probability, in (0, 1).
[[nodiscard]] double chi_square_critical(double probability, double degrees_of_freedom);
// The statistic that X does not exceed with the given probability, in (0, 1).
[[nodiscard]] double chi_square_quantile(double probability, double degrees_of_freedom);

// The standard normal variate with about the same tail: a measure that can be compared between
// degrees of freedom, without underflow. Two logarithms and a root.
[[nodiscard]] double chi_square_score(double statistic, double degrees_of_freedom);

}  // namespace credenet
