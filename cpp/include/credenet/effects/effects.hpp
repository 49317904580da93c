#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "credenet/counts/count_source.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The questions: groups of one x and several y that share their adjustment sets. The sets of a
// group have weights that sum to 1. A set that holds y means that x has no effect on y.
struct EffectGroups {
  std::span<const std::int32_t> x;              // One for each group.
  std::span<const std::int64_t> y_begins;       // One for each group, and the end.
  std::span<const std::int32_t> y;              // Each differs from the x of its group.
  std::span<const std::int64_t> set_begins;     // One for each group, and the end.
  std::span<const double> weights;              // One for each set.
  std::span<const std::int64_t> member_begins;  // One for each set, and the end.
  std::span<const std::int32_t> members;        // Ascending in each set; none of them is x.
};

struct EffectSettings {
  double ess = 1;
  double level = 0.95;      // Probability of the intervals.
  std::size_t n_draws = 0;  // Draws of the mixture over the sets.
  std::uint64_t seed = 0;
};

// The answers, pair by pair in the order of the groups and their y. The tables of a pair have a row
// for each state of x and a column for each state of y, and lie one after another.
struct EffectAnswers {
  std::span<double> means;  // Means of p(y | do(x)) over sets and parameters.
  std::span<double> least;  // Smallest mean of a single set; `most` has the largest.
  std::span<double> most;
  std::span<double> low;  // Ends of the intervals.
  std::span<double> high;
  std::span<double> sizes;  // Mean, low and high of the Jensen-Shannon divergence of each pair.
  std::span<double> draws;  // The n_draws draws of a cell lie together; empty if not wanted.
};

// Estimates p(y | do(x)) by adjustment, averaged over adjustment sets. False if the control stopped
// it; the answers are then useless. n_states are those declared; they may be more than those
// observed.
[[nodiscard]] bool estimate_effects(const CountSource& source,
                                    std::span<const std::int32_t> n_states,
                                    const EffectGroups& groups, const EffectSettings& settings,
                                    unsigned n_threads, const EffectAnswers& answers,
                                    Control& control);

}  // namespace credenet
