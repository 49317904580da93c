#include "credenet/inference/approximate/weighted_samples.hpp"

#include <algorithm>

namespace credenet {

void WeightedTally::rescale(double log_weight) {
  if (log_weight <= largest_) return;
  if (largest_ > -INFINITY) {
    const double scale = std::exp(largest_ - log_weight);
    sum_ *= scale;
    square_ *= scale * scale;
    for (double& value : sums_) value *= scale;
    for (double& value : squares_) value *= scale * scale;
  }
  largest_ = log_weight;
}

void WeightedTally::add(double log_weight, std::span<const std::int32_t> states) {
  ++n_samples_;
  if (log_weight == -INFINITY) return;
  rescale(log_weight);
  const double weight = std::exp(log_weight - largest_);
  const double square = weight * weight;
  sum_ += weight;
  square_ += square;
  for (std::size_t variable = 0; variable < states.size(); ++variable) {
    const std::size_t place = offsets_[variable] + static_cast<std::size_t>(states[variable]);
    sums_[place] += weight;
    squares_[place] += square;
  }
}

void WeightedTally::merge(const WeightedTally& other) {
  n_samples_ += other.n_samples_;
  n_abandoned_ += other.n_abandoned_;
  if (!other.has_weight()) return;
  rescale(other.largest_);
  const double scale = std::exp(other.largest_ - largest_);
  sum_ += other.sum_ * scale;
  square_ += other.square_ * scale * scale;
  for (std::size_t at = 0; at < sums_.size(); ++at) {
    sums_[at] += other.sums_[at] * scale;
    squares_[at] += other.squares_[at] * scale * scale;
  }
}

double WeightedTally::log_mean() const {
  return largest_ + std::log(sum_ / static_cast<double>(n_samples_));
}

double WeightedTally::log_mean_error() const {
  if (n_samples_ < 2) return INFINITY;
  const auto n = static_cast<double>(n_samples_);
  const double variance = (square_ / (sum_ * sum_) - 1 / n) * n / (n - 1);
  return std::max(1 / n, std::sqrt(std::max(0.0, variance)));
}

std::vector<double> WeightedTally::probabilities() const {
  std::vector<double> result(sums_);
  for (double& value : result) value /= sum_;
  return result;
}

std::vector<double> WeightedTally::standard_errors() const {
  const double least = 1 / effective_sample_size();
  std::vector<double> result(sums_.size());
  for (std::size_t at = 0; at < result.size(); ++at) {
    const double p = sums_[at] / sum_;
    // The sum of w^2 (f - p)^2 has terms (1 - p)^2 where f is 1, and p^2 where it is 0.
    const double rest = std::max(0.0, square_ - squares_[at]);
    const double variance = (squares_[at] * (1 - p) * (1 - p) + rest * p * p) / (sum_ * sum_);
    result[at] = std::max(least, std::sqrt(variance));
  }
  return result;
}

}  // namespace credenet
