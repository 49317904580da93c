// A block is filled by pulling: the last variable of a best network on high and L is either high,
// and what precedes it is in an earlier block at the same place, or low, and what precedes it is
// earlier in this block. The best family of a variable for every L at once is a table: its families
// whose high parents are there are entered at their low parents, then every entry takes the maximum
// over its subsets, one variable at a time. All loops run along L, so they are done eight at a
// time: the three lowest variables lie within such eight entries, and each family is entered there
// for all their supersets at once. One block of b low variables costs about (b + |high|) * b * 2^b
// / 2 maxima, all in the second-level cache, against 2^n values that pass through memory once for
// each high variable.
#include "credenet/lattice/subset_block.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "credenet/util/no_score.hpp"
#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

constexpr std::size_t kLaneBits = 3;            // Lowest variables, whose sets are done at a time.
constexpr std::size_t kLanes = 1 << kLaneBits;  // Entries that are done at a time.
constexpr std::size_t kMostLow = 11;            // Most low variables of a block.
constexpr std::int64_t kNoSink = 255;           // Sink of a set without a network.

// The number kWithin[s][l] is zero if s is a subset of l.
constexpr auto kWithin = [] {
  std::array<std::array<double, kLanes>, kLanes> within{};
  for (std::size_t set = 0; set < kLanes; ++set) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      within[set][lane] = (set & ~lane) == 0 ? 0.0 : kNoScore;
    }
  }
  return within;
}();

CREDENET_CLONES void enter_families(double* __restrict table, const std::uint32_t* low_parts,
                                    const double* scores, std::size_t n_families) {
  for (std::size_t k = 0; k < n_families; ++k) {
    const double* within = kWithin[low_parts[k] % kLanes].data();
    double* lanes = table + low_parts[k] / kLanes * kLanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = std::max(lanes[lane], scores[k] + within[lane]);
    }
  }
}

// Makes every entry the maximum over its subsets; those within eight entries are done already.
CREDENET_CLONES void maximise_over_subsets(double* table, std::size_t size) {
  for (std::size_t step = kLanes; step < size; step *= 2) {
    for (std::size_t base = 0; base < size; base += 2 * step) {
      const double* __restrict without = table + base;
      double* __restrict with = table + base + step;
      for (std::size_t at = 0; at < step; ++at) with[at] = std::max(with[at], without[at]);
    }
  }
}

CREDENET_CLONES void place_high(double* __restrict best, const double* __restrict before,
                                const double* __restrict table, std::size_t size) {
  for (std::size_t at = 0; at < size; ++at) {
    best[at] = std::max(best[at], before[at] + table[at]);
  }
}

CREDENET_CLONES void place_high_with_sinks(double* __restrict best, std::int64_t* __restrict sinks,
                                           const double* __restrict before,
                                           const double* __restrict table, std::size_t size,
                                           std::int64_t variable) {
  for (std::size_t at = 0; at < size; ++at) {
    const double score = before[at] + table[at];
    const bool is_better = score > best[at];
    best[at] = is_better ? score : best[at];
    sinks[at] = is_better ? variable : sinks[at];
  }
}

// Finds the best scores by the tables of the low variables, which lie one after the other, size
// entries each. Eight entries need those of the sets without one of the higher variables, which are
// complete, and each other.
CREDENET_CLONES void place_low(double* best, const double* tables, std::size_t size) {
  for (std::size_t base = 0; base < size; base += kLanes) {
    std::array<double, kLanes> lanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = best[base + lane];
    for (std::size_t rest = base; rest != 0; rest &= rest - 1) {
      const std::size_t before = base ^ (rest & (0 - rest));
      const double* table =
          tables + static_cast<std::size_t>(std::countr_zero(rest)) * size + before;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] = std::max(lanes[lane], best[before + lane] + table[lane]);
      }
    }
    for (std::size_t lane = 1; lane < kLanes; ++lane) {
      for (std::size_t bit = 0; bit < kLaneBits; ++bit) {
        if ((lane >> bit & 1) == 0) continue;
        const std::size_t before = lane ^ (std::size_t{1} << bit);
        lanes[lane] = std::max(lanes[lane], lanes[before] + tables[bit * size + base + before]);
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) best[base + lane] = lanes[lane];
  }
}

// Works as place_low and finds the sinks. The lowest variables come first wherever the maximum is
// reached more than once.
CREDENET_CLONES void place_low_with_sinks(double* best, std::int64_t* sinks, const double* tables,
                                          std::size_t size) {
  for (std::size_t base = 0; base < size; base += kLanes) {
    std::array<double, kLanes> lanes;
    std::array<std::int64_t, kLanes> lane_sinks;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = kNoScore;
      lane_sinks[lane] = kNoSink;
    }
    for (std::size_t rest = base; rest != 0; rest &= rest - 1) {
      const std::size_t before = base ^ (rest & (0 - rest));
      const std::int64_t variable = std::countr_zero(rest);
      const double* table = tables + static_cast<std::size_t>(variable) * size + before;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double score = best[before + lane] + table[lane];
        const bool is_better = score > lanes[lane];
        lanes[lane] = is_better ? score : lanes[lane];
        lane_sinks[lane] = is_better ? variable : lane_sinks[lane];
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      double lowest = kNoScore;
      std::int64_t lowest_sink = kNoSink;
      for (std::size_t bit = 0; bit < kLaneBits; ++bit) {
        if ((lane >> bit & 1) == 0) continue;
        const std::size_t before = lane ^ (std::size_t{1} << bit);
        const double score = best[base + before] + tables[bit * size + base + before];
        if (score > lowest) {
          lowest = score;
          lowest_sink = static_cast<std::int64_t>(bit);
        }
      }
      if (lowest < lanes[lane]) {
        lowest = lanes[lane];
        lowest_sink = lane_sinks[lane];
      }
      if (lowest > best[base + lane]) {
        best[base + lane] = lowest;
        sinks[base + lane] = lowest_sink;
      }
    }
  }
}

}  // namespace

std::size_t SubsetBlocks::n_low(std::size_t n_variables) {
  return std::clamp(n_variables, kLaneBits, kMostLow);
}

std::size_t SubsetBlocks::n_high(std::size_t n_variables) {
  return n_variables - std::min(n_variables, n_low(n_variables));
}

SubsetBlocks::Workspace::Workspace(std::size_t n_variables)
    : tables_((n_low(n_variables) + 1) << n_low(n_variables)),
      sinks_(std::size_t{1} << n_low(n_variables)) {}

std::size_t SubsetBlocks::Workspace::bytes(std::size_t n_variables) {
  return ((n_low(n_variables) + 2) << n_low(n_variables)) * sizeof(double);
}

SubsetBlocks::SubsetBlocks(const ComponentLists& lists)
    : n_low_(n_low(lists.n_variables())), n_variables_(lists.n_variables()) {
  const std::uint64_t low = (std::uint64_t{1} << n_low_) - 1;
  low_parts_.reserve(lists.n_families());
  scores_.reserve(lists.n_families());
  for (std::size_t variable = 0; variable < n_variables_; ++variable) {
    const auto sets = lists.parents(variable);
    std::vector<std::uint32_t> order(sets.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t k) { return sets[k] >> n_low_; });
    for (const std::uint32_t k : order) {
      const std::uint64_t high = sets[k] >> n_low_;
      if (groups_.size() == starts_.back() || groups_.back().high != high) {
        groups_.push_back({high, scores_.size(), scores_.size()});
      }
      ++groups_.back().end;
      low_parts_.push_back(static_cast<std::uint32_t>(sets[k] & low));
      scores_.push_back(lists.scores(variable)[k]);
    }
    starts_.push_back(groups_.size());
  }
}

// Fills the table of a variable. False if it has no family whose high parents are in the set given.
bool SubsetBlocks::fill_table(std::size_t variable, std::uint64_t high, double* table) const {
  std::fill_n(table, block_size(), kNoScore);
  bool is_any = false;
  for (std::size_t at = starts_[variable]; at < starts_[variable + 1]; ++at) {
    const Group& group = groups_[at];
    if ((group.high & ~high) != 0) continue;
    is_any = true;
    enter_families(table, low_parts_.data() + group.begin, scores_.data() + group.begin,
                   group.end - group.begin);
  }
  if (is_any) maximise_over_subsets(table, block_size());
  return is_any;
}

void SubsetBlocks::compute(std::uint64_t high, std::span<const double* const> before, double* best,
                           std::uint8_t* sinks, Workspace& workspace) const {
  const std::size_t size = block_size();
  double* tables = workspace.tables_.data();
  std::int64_t* wide_sinks = workspace.sinks_.data();
  std::fill_n(best, size, kNoScore);
  if (high == 0) best[0] = 0;
  if (sinks != nullptr) std::fill_n(wide_sinks, size, kNoSink);

  double* table = tables + n_low_ * size;
  std::size_t at = 0;
  for (std::uint64_t rest = high; rest != 0; rest &= rest - 1) {
    const double* earlier = before[at++];
    const std::size_t variable = n_low_ + static_cast<std::size_t>(std::countr_zero(rest));
    if (!fill_table(variable, high ^ (rest & (0 - rest)), table)) continue;
    if (sinks != nullptr) {
      place_high_with_sinks(best, wide_sinks, earlier, table, size,
                            static_cast<std::int64_t>(variable));
    } else {
      place_high(best, earlier, table, size);
    }
  }

  for (std::size_t variable = 0; variable < n_low_; ++variable) {
    if (variable < n_variables_) {
      fill_table(variable, high, tables + variable * size);
    } else {
      std::fill_n(tables + variable * size, size, kNoScore);
    }
  }
  if (sinks != nullptr) {
    place_low_with_sinks(best, wide_sinks, tables, size);
    std::copy_n(wide_sinks, size, sinks);
  } else {
    place_low(best, tables, size);
  }
}

}  // namespace credenet
