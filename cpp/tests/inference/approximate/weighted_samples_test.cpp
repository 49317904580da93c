#include "credenet/inference/approximate/weighted_samples.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "stop_at.hpp"

using credenet::NoControl;
using credenet::Random;
using credenet::WeightedTally;

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

struct Sample {
  double log_weight;
  std::vector<std::int32_t> states;
};

// Draws states of two variables with 2 and 3 states; weights are of very different sizes, some 0.
Sample draw(Random& random) {
  const double log_weight = random.below(5) == 0 ? -INFINITY : 900 * random.uniform() - 450;
  return {log_weight,
          {static_cast<std::int32_t>(random.below(2)), static_cast<std::int32_t>(random.below(3))}};
}

}  // namespace

int main() {
  const std::vector<std::size_t> offsets{0, 2, 5};
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<Sample> samples;
    WeightedTally whole(offsets), first(offsets), second(offsets);
    double largest = -INFINITY;
    for (std::size_t at = 0; at < 2 + random.below(30); ++at) {
      samples.push_back(draw(random));
      largest = std::max(largest, samples.back().log_weight);
      whole.add(samples.back().log_weight, samples.back().states);
      (at % 3 == 0 ? first : second).add(samples.back().log_weight, samples.back().states);
    }
    CHECK(whole.has_weight() == (largest > -INFINITY));
    if (!whole.has_weight()) continue;
    first.merge(second);
    double sum = 0;
    double square = 0;
    for (const Sample& sample : samples) {
      const double weight = std::exp(sample.log_weight - largest);
      sum += weight;
      square += weight * weight;
    }
    for (const WeightedTally* tally : {&whole, &first}) {
      CHECK(tally->n_samples() == samples.size());
      CHECK(close(tally->effective_sample_size(), sum * sum / square));
      CHECK(
          close(tally->log_mean(), largest + std::log(sum / static_cast<double>(samples.size()))));
      const auto probabilities = tally->probabilities();
      const auto errors = tally->standard_errors();
      for (std::size_t place = 0; place < 5; ++place) {
        const std::size_t variable = place < 2 ? 0 : 1;
        double with = 0;
        double variance = 0;
        const auto is_here = [&](const Sample& sample) {
          return offsets[variable] + static_cast<std::size_t>(sample.states[variable]) == place;
        };
        for (const Sample& sample : samples) {
          if (is_here(sample)) with += std::exp(sample.log_weight - largest);
        }
        const double p = with / sum;
        for (const Sample& sample : samples) {
          const double weight = std::exp(sample.log_weight - largest);
          variance += std::pow(weight * ((is_here(sample) ? 1 : 0) - p), 2);
        }
        CHECK(close(probabilities[place], p));
        CHECK(close(errors[place], std::max(std::sqrt(variance) / sum, square / (sum * sum))));
      }
    }
  }

  // The tally is the same on any number of threads, and a stop keeps what there is.
  const auto make = [] {
    return [](Random& stream, std::span<std::int32_t> states) -> std::optional<double> {
      if (stream.below(50) == 0) return std::nullopt;
      const Sample sample = draw(stream);
      std::ranges::copy(sample.states, states.begin());
      return sample.log_weight;
    };
  };
  NoControl no_control;
  bool finished = false;
  const auto one = credenet::tally_samples(40000, offsets, 7, 1, no_control, make, finished);
  CHECK(finished);
  const auto many = credenet::tally_samples(40000, offsets, 7, 4, no_control, make, finished);
  CHECK(one.n_samples() + one.n_abandoned() == 40000);
  CHECK(one.n_abandoned() == many.n_abandoned() && one.n_abandoned() > 0);
  CHECK(one.probabilities() == many.probabilities());
  CHECK(one.log_mean() == many.log_mean());
  StopAt stop(100);
  const auto some = credenet::tally_samples(40000, offsets, 7, 1, stop, make, finished);
  CHECK(!finished);
  CHECK(some.n_samples() + some.n_abandoned() == 100);
}
