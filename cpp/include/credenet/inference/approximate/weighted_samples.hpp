#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "credenet/util/control.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Sums over weighted samples, in units of the largest weight so far. With weights w and the
// indicator f of a state, its probability is estimated by p = sum(w f) / sum(w) and the variance of
// that by sum(w^2 (f - p)^2) / sum(w)^2; the mean weight estimates the probability of the evidence.
class WeightedTally {
 public:
  // State s of variable v has the place offsets[v] + s.
  explicit WeightedTally(std::span<const std::size_t> offsets)
      : offsets_(offsets), sums_(offsets.back(), 0.0), squares_(offsets.back(), 0.0) {}

  void add(double log_weight, std::span<const std::int32_t> states);
  void add_abandoned() { ++n_abandoned_; }
  void merge(const WeightedTally& other);

  [[nodiscard]] std::uint64_t n_samples() const { return n_samples_; }
  // The number of samples that were given up; they are not among the others.
  [[nodiscard]] std::uint64_t n_abandoned() const { return n_abandoned_; }
  [[nodiscard]] bool has_weight() const { return sum_ > 0; }
  // The effective sample size, (sum w)^2 / sum w^2.
  [[nodiscard]] double effective_sample_size() const { return sum_ * sum_ / square_; }
  // The log of the mean weight, and its standard error to first order; at least 1 over the samples,
  // since they may well have missed states of that much proposal whose weights are others.
  [[nodiscard]] double log_mean() const;
  [[nodiscard]] double log_mean_error() const;
  [[nodiscard]] std::vector<double> probabilities() const;
  // The standard errors of the probabilities. Each is at least 1 over the effective sample size:
  // the sample may well have missed that much probability.
  [[nodiscard]] std::vector<double> standard_errors() const;

 private:
  void rescale(double log_weight);

  std::span<const std::size_t> offsets_;
  std::uint64_t n_samples_ = 0, n_abandoned_ = 0;
  double largest_ = -INFINITY;
  double sum_ = 0, square_ = 0;
  std::vector<double> sums_, squares_;
};

// Draws samples in blocks, each with its own random stream, and adds the blocks up in their order:
// the tally depends on the seed alone. make_drawer() gives a worker something that is called with
// (random, states) and returns the log of the sample's weight, or nothing where it was given up.
// Stopped by the control, the samples drawn so far are in the tally and finished is false.
template <typename MakeDrawer>
WeightedTally tally_samples(std::size_t n_samples, std::span<const std::size_t> offsets,
                            std::uint64_t seed, unsigned n_threads, Control& control,
                            MakeDrawer&& make_drawer, bool& finished) {
  constexpr std::size_t kBlock = 256;
  constexpr std::size_t kRound = 64;  // Blocks whose tallies are held at once.
  using Drawer = decltype(make_drawer());
  std::vector<std::optional<Drawer>> drawers(std::max(n_threads, 1U));
  WeightedTally tally(offsets);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  const std::size_t n_blocks = (n_samples + kBlock - 1) / kBlock;
  for (std::size_t first = 0; first < n_blocks && !stop; first += kRound) {
    const std::size_t count = std::min(kRound, n_blocks - first);
    std::vector<std::optional<WeightedTally>> parts(count);
    parallel_blocks(count, n_threads, stop, [&](std::size_t at, unsigned worker) {
      if (!drawers[worker]) drawers[worker].emplace(make_drawer());
      WeightedTally& part = parts[at].emplace(offsets);
      const std::size_t block = first + at;
      Random random(seed, block);
      std::vector<std::int32_t> states(offsets.size() - 1, 0);
      const std::size_t last = std::min(n_samples, (block + 1) * kBlock);
      for (std::size_t sample = block * kBlock; sample < last && !stop; ++sample) {
        const std::optional<double> log_weight = (*drawers[worker])(random, std::span(states));
        if (log_weight) {
          part.add(*log_weight, states);
        } else {
          part.add_abandoned();
        }
        ++done;
        if (worker == 0 && !control.poll({done.load(), n_samples})) stop = true;
      }
    });
    for (const auto& part : parts) {
      if (part) tally.merge(*part);
    }
  }
  finished = !stop;
  return tally;
}

// Samples that are kept, with the logs of their weights.
struct WeightedRows {
  std::vector<std::int32_t> states;  // Row after row, a state for each variable of the whole model.
  std::vector<double> log_weights;
};

// Draws samples as tally_samples does and keeps those that have weight, until the effective sample
// size is as wanted or n_most are drawn. ``known`` has the states of observed variables.
template <typename MakeDrawer>
WeightedTally draw_weighted(double wanted, std::size_t n_most, std::span<const std::size_t> offsets,
                            std::span<const std::int32_t> known, std::uint64_t seed,
                            unsigned n_threads, Control& control, MakeDrawer&& make_drawer,
                            WeightedRows& rows, bool& finished) {
  constexpr std::size_t kBlock = 256;
  constexpr std::size_t kRound = 16;  // Blocks after which the effective sample size is asked.
  using Drawer = decltype(make_drawer());
  struct Part {
    WeightedTally tally;
    WeightedRows rows;
  };
  std::vector<std::optional<Drawer>> drawers(std::max(n_threads, 1U));
  WeightedTally tally(offsets);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  const std::size_t n_blocks = (n_most + kBlock - 1) / kBlock;
  for (std::size_t first = 0; first < n_blocks && !stop; first += kRound) {
    if (tally.has_weight() && tally.effective_sample_size() >= wanted) break;
    const std::size_t count = std::min(kRound, n_blocks - first);
    std::vector<std::optional<Part>> parts(count);
    parallel_blocks(count, n_threads, stop, [&](std::size_t at, unsigned worker) {
      if (!drawers[worker]) drawers[worker].emplace(make_drawer());
      Part& part = parts[at].emplace(Part{WeightedTally(offsets), {}});
      const std::size_t block = first + at;
      Random random(seed, block);
      std::vector<std::int32_t> states(known.begin(), known.end());
      const std::size_t last = std::min(n_most, (block + 1) * kBlock);
      for (std::size_t sample = block * kBlock; sample < last && !stop; ++sample) {
        const std::optional<double> log_weight = (*drawers[worker])(random, std::span(states));
        if (!log_weight) {
          part.tally.add_abandoned();
        } else {
          part.tally.add(*log_weight, states);
          if (*log_weight > -INFINITY) {
            part.rows.states.insert(part.rows.states.end(), states.begin(), states.end());
            part.rows.log_weights.push_back(*log_weight);
          }
        }
        ++done;
        if (worker == 0 && !control.poll({done.load(), n_most})) stop = true;
      }
    });
    for (const auto& part : parts) {
      if (!part) continue;
      tally.merge(part->tally);
      const WeightedRows& drawn = part->rows;
      rows.states.insert(rows.states.end(), drawn.states.begin(), drawn.states.end());
      rows.log_weights.insert(rows.log_weights.end(), drawn.log_weights.begin(),
                              drawn.log_weights.end());
    }
  }
  finished = !stop;
  return tally;
}

}  // namespace credenet
