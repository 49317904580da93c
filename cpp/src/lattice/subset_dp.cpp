// The recurrence is best(U) = max over v in U of best(U without v) + score of v's best family
// within U without v: the last variable of an order is a sink of the network on U (Silander and
// Myllymaki 2006). It is computed for blocks of subsets that share their high variables
// (subset_block.cpp); the blocks with k high variables need those with k - 1 and are independent of
// each other, so they are shared out among the threads. The network is read off from the full set
// downwards. If all values are kept, v is the sink if the equation holds, which it does to the last
// digit, being the same addition. If only two layers are kept, the sink of every subset is stored
// as one byte.
#include "credenet/lattice/subset_dp.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <chrono>
#include <vector>

#include "credenet/lattice/subset_block.hpp"
#include "credenet/util/no_score.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

constexpr std::size_t kMostVariables = 40;  // Most variables: no machine has the memory for more.

// Binomial coefficients.
constexpr auto kChoose = [] {
  std::array<std::array<std::size_t, kMostVariables + 2>, kMostVariables + 2> choose{};
  for (std::size_t n = 0; n < choose.size(); ++n) {
    choose[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
  }
  return choose;
}();

// The sets of k out of n, ascending.
std::vector<std::uint64_t> sets_of_size(std::size_t k, std::size_t n) {
  std::vector<std::uint64_t> sets;
  sets.reserve(kChoose[n][k]);
  std::uint64_t set = (std::uint64_t{1} << k) - 1;
  while (sets.size() < kChoose[n][k]) {
    sets.push_back(set);
    if (set == 0) break;
    const std::uint64_t lowest = set & (0 - set);
    const std::uint64_t carried = set + lowest;
    set = carried | ((set ^ carried) / lowest >> 2);
  }
  return sets;
}

// The place of a set among the ascending sets of its size.
std::size_t place_of(std::uint64_t set) {
  std::size_t place = 0;
  std::size_t k = 0;
  for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
    place += kChoose[static_cast<std::size_t>(std::countr_zero(rest))][++k];
  }
  return place;
}

std::size_t blocks_of_two_layers(std::size_t n_high) {
  std::size_t most = 1;
  for (std::size_t k = 0; k < n_high; ++k) {
    most = std::max(most, kChoose[n_high][k] + kChoose[n_high][k + 1]);
  }
  return most;
}

// The place of the blocks: all of them by their high variables, or two layers by place and the
// sinks.
class SubsetTable {
 public:
  SubsetTable(std::size_t n, bool layered) : n_low_(SubsetBlocks::n_low(n)) {
    const std::size_t n_high = SubsetBlocks::n_high(n);
    if (layered) {
      sinks_ = std::make_unique_for_overwrite<std::uint8_t[]>(std::size_t{1} << (n_low_ + n_high));
      n_high_ = n_high;
    }
    const std::size_t n_blocks = layered ? blocks_of_two_layers(n_high) : std::size_t{1} << n_high;
    values_ = std::make_unique_for_overwrite<double[]>(n_blocks << n_low_);
    n_blocks_ = n_blocks;
  }

  // Even layers fill the store from its beginning, odd ones from its end.
  [[nodiscard]] double* block(std::uint64_t high) {
    std::size_t at = high;
    if (sinks_) {
      const auto size = static_cast<std::size_t>(std::popcount(high));
      at = place_of(high);
      if (size % 2 == 1) at += n_blocks_ - kChoose[n_high_][size];
    }
    return values_.get() + (at << n_low_);
  }
  [[nodiscard]] std::uint8_t* sinks(std::uint64_t high) {
    return sinks_ ? sinks_.get() + (high << n_low_) : nullptr;
  }
  [[nodiscard]] double value(std::uint64_t set) {
    return block(set >> n_low_)[set & ((std::uint64_t{1} << n_low_) - 1)];
  }
  [[nodiscard]] std::unique_ptr<double[]> take() { return std::move(values_); }

  // The variable after all others in a best order of the set. All values are there if the sinks
  // are not; the high variables are tried first, as in compute.
  [[nodiscard]] std::size_t sink(const ComponentLists& lists, std::uint64_t set) {
    if (sinks_) return sinks_[set];
    const std::uint64_t low = (std::uint64_t{1} << n_low_) - 1;
    for (const std::uint64_t part : {set & ~low, set & low}) {
      for (std::uint64_t rest = part; rest != 0; rest &= rest - 1) {
        const auto variable = static_cast<std::size_t>(std::countr_zero(rest));
        const std::uint64_t others = set ^ (rest & (0 - rest));
        const std::size_t k = lists.best(variable, others);
        if (k == lists.size(variable)) continue;
        if (values_[others] + lists.scores(variable)[k] == values_[set]) return variable;
      }
    }
    assert(false);
    return 0;
  }

 private:
  std::size_t n_low_;
  std::size_t n_high_ = 0;
  std::size_t n_blocks_ = 0;
  std::unique_ptr<double[]> values_;
  std::unique_ptr<std::uint8_t[]> sinks_;
};

double sum_of_best(const ComponentLists& lists) {
  double sum = 0;
  for (std::size_t variable = 0; variable < lists.n_variables(); ++variable) {
    sum += lists.size(variable) == 0 ? kNoScore : lists.scores(variable)[0];
  }
  return sum;
}

// Fills the table. Returns how many subsets were done: all of them, unless the control stopped it.
std::uint64_t fill(SubsetTable& table, const ComponentLists& lists, unsigned n_threads,
                   Control& control) {
  const std::size_t n = lists.n_variables();
  const std::size_t n_high = SubsetBlocks::n_high(n);
  const SubsetBlocks blocks(lists);
  std::vector<SubsetBlocks::Workspace> workspaces(std::max(n_threads, 1U),
                                                  SubsetBlocks::Workspace(n));
  std::atomic<std::uint64_t> n_blocks_done{0};
  std::atomic<bool> stop{false};
  const double bound = sum_of_best(lists);
  const auto n_done = [&] {
    return std::min(n_blocks_done.load(std::memory_order_relaxed) << SubsetBlocks::n_low(n),
                    std::uint64_t{1} << n);
  };
  for (std::size_t k = 0; k <= n_high && !stop; ++k) {
    const std::vector<std::uint64_t> layer = sets_of_size(k, n_high);
    parallel_blocks(layer.size(), n_threads, stop, [&](std::size_t at, unsigned worker) {
      const std::uint64_t high = layer[at];
      std::array<const double*, kMostVariables> before{};
      std::size_t n_before = 0;
      for (std::uint64_t rest = high; rest != 0; rest &= rest - 1) {
        before[n_before++] = table.block(high ^ (rest & (0 - rest)));
      }
      blocks.compute(high, {before.data(), n_before}, table.block(high), table.sinks(high),
                     workspaces[worker]);
      n_blocks_done.fetch_add(1, std::memory_order_relaxed);
      if (worker != 0) return;
      if (!control.poll({n_done(), std::uint64_t{1} << n, kNoScore, bound})) stop = true;
    });
  }
  return n_done();
}

}  // namespace

std::size_t subset_dp_bytes(std::size_t n_variables, bool layered, unsigned n_threads) {
  if (n_variables > kMostVariables) return std::numeric_limits<std::size_t>::max();
  const std::size_t n_low = SubsetBlocks::n_low(n_variables);
  const std::size_t n_high = SubsetBlocks::n_high(n_variables);
  const std::size_t work = std::max(n_threads, 1U) * SubsetBlocks::Workspace::bytes(n_variables);
  if (!layered) return (sizeof(double) << (n_low + n_high)) + work;
  return (blocks_of_two_layers(n_high) * sizeof(double) << n_low) +
         (std::size_t{1} << (n_low + n_high)) + work;
}

SearchResult subset_dp(const ComponentLists& lists, const SubsetDpOptions& options,
                       Control& control) {
  const std::size_t n = lists.n_variables();
  SearchResult result;
  BoundTrace trace;
  result.bound = sum_of_best(lists);
  trace.record(result.score, result.bound);
  const std::size_t bytes = subset_dp_bytes(n, options.layered, options.n_threads);
  if (n > kMostVariables || bytes > options.max_bytes) {
    result.status = Status::kMemoryLimit;
    result.trace = trace.take();
    return result;
  }
  result.peak_bytes = bytes;

  SubsetTable table(n, options.layered);
  result.n_expanded = fill(table, lists, options.n_threads, control);
  result.n_generated = result.n_expanded;
  const std::uint64_t all = (std::uint64_t{1} << n) - 1;
  if (result.n_expanded <= all) {
    result.status = Status::kStopped;
  } else if (table.value(all) == kNoScore) {
    result.status = Status::kInfeasible;
    result.bound = kNoScore;
  } else {
    result.status = Status::kOptimal;
    result.families.resize(n);
    for (std::uint64_t set = all; set != 0;) {
      const std::size_t variable = table.sink(lists, set);
      set ^= std::uint64_t{1} << variable;
      result.families[variable] = static_cast<std::int32_t>(lists.best(variable, set));
    }
    result.score = result.bound = lists.score(result.families);
  }
  trace.record(result.score, result.bound);
  result.trace = trace.take();
  return result;
}

std::unique_ptr<double[]> best_of_subsets(const ComponentLists& lists, unsigned n_threads,
                                          Control& control) {
  assert(lists.n_variables() <= kMostVariables);
  SubsetTable table(lists.n_variables(), false);
  if (fill(table, lists, n_threads, control) < std::uint64_t{1} << lists.n_variables()) return {};
  return table.take();
}

double subset_dp_seconds(const ComponentLists& lists) {
  using Clock = std::chrono::steady_clock;
  constexpr int kSamples = 8;  // Blocks that are timed.
  // Time of a block that comes from memory against one from the cache.
  constexpr double kMemory = 1.8;
  const std::size_t n = lists.n_variables();
  const std::size_t n_high = SubsetBlocks::n_high(n);
  const SubsetBlocks blocks(lists);
  SubsetBlocks::Workspace workspace(n);
  std::vector<double> earlier(blocks.block_size(), 0.0);
  std::vector<double> best(blocks.block_size());
  const std::vector<const double*> before(n_high, earlier.data());
  Random random(1);
  double seconds = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const std::uint64_t high = random() & ((std::uint64_t{1} << n_high) - 1);
    double least = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < 2; ++repeat) {
      const auto start = Clock::now();
      blocks.compute(high, before, best.data(), nullptr, workspace);
      least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
    }
    seconds += least / kSamples;
  }
  return kMemory * seconds * static_cast<double>(std::uint64_t{1} << n_high);
}

}  // namespace credenet
