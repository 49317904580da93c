#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/families/size_factors.hpp"
#include "credenet/scores/score.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// The parent sets that a variable may have, and what a structure prior adds to their scores.
struct ChildRules {
  std::vector<std::uint16_t> required;    // Parents in every parent set, ascending.
  std::vector<std::uint16_t> candidates;  // Further parents that are allowed, ascending.
  std::size_t max_parents = 0;            // Most parents, the required ones included.
  SizeFactors log_factors;            // Log prior factors by number of parents, 0 … max_parents.
  std::vector<std::uint16_t> expert;  // Parents in the expert's graph, ascending.
  double log_kappa = 0;  // Log prior factor of every difference from the expert's parents.

  [[nodiscard]] bool is_required(std::size_t parent) const {
    return std::ranges::binary_search(required, static_cast<std::uint16_t>(parent));
  }
  // The log factor of a parent set, ascending.
  [[nodiscard]] double log_prior(const std::vector<std::uint16_t>& parents) const;
};

struct FamilyOptions {
  double slack = 0;
  bool prune = true;          // Whether families are pruned; false keeps every family.
  double tolerance = 1e-9;    // Scores that differ by less count as equal.
  std::size_t max_bytes = 0;  // Most estimated bytes of one level; 0 for no limit.
  unsigned n_threads = 1;
  bool unproven = false;       // Whether bounds are used that have only been checked numerically.
  std::uint64_t max_work = 0;  // Rows that LargeSetScoring may visit; 0 for no limit.
  // Sets with more parents than this, beyond the required ones, are bounded but not scored.
  std::size_t most_added = std::numeric_limits<std::size_t>::max();
  double many_families = 1 << 17;  // Families from which on a level is not listed (DenseLevels).
};

struct ChildFamilies {
  std::vector<double> scores;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> parents;

  template <typename Set>
  void add(const Set& set, double score) {
    scores.push_back(score);
    set.for_each([&](std::size_t parent) { parents.push_back(static_cast<std::int32_t>(parent)); });
    offsets.push_back(static_cast<std::int64_t>(parents.size()));
  }

  void keep_first(std::size_t n_families) {
    scores.resize(n_families);
    offsets.resize(n_families + 1);
    parents.resize(static_cast<std::size_t>(offsets.back()));
  }
};

// Gain and bound of the parent sets of a child that were neither scored nor pruned.
struct UnscoredSets {
  double gain = 0;  // No set exceeds the best of its subsets by more.
  double bound = -std::numeric_limits<double>::infinity();  // No set scores more.

  // Adds sets that score at most highest and have a subset with the score best.
  void add(double highest, double best) {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    const double more = highest - best;
    bound = std::isnan(highest) ? kUnknown : std::max(bound, highest);
    gain = std::isnan(more) ? kUnknown : std::max(gain, more);
  }
};

struct Families {
  std::vector<ChildFamilies> children;
  std::uint64_t n_evaluated = 0;
  std::size_t n_levels = 0;  // Number of levels: of numbers of further parents that were tried.
  Status status = Status::kComplete;
  std::vector<UnscoredSets> unscored;  // One for each child; empty if nothing is known.
};

[[nodiscard]] Families score_families(const CountSource& source, const ScoreSettings& settings,
                                      std::span<const ChildRules> rules,
                                      const FamilyOptions& options, Control& control);

}  // namespace credenet
