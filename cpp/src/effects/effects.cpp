// Pairs with the same x and adjustment set are counted together, as the counter then has the bits
// of set and x at hand. A block of work is a group with so many of its y that their draws stay in
// the second-level cache or near it. Each pair has its own stream of random numbers, so its answer
// depends neither on the other pairs nor on the threads.
#include "credenet/effects/effects.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "credenet/effects/adjusted_table.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

constexpr std::size_t kMostDraws = std::size_t{1} << 19;  // Most numbers drawn for a block.

struct Block {
  std::size_t group = 0;
  std::size_t first = 0;  // The block has the pairs [first, last).
  std::size_t last = 0;
};

// A pair while its sets are gone through.
struct Pair {
  Random random;
  std::size_t y = 0;
  std::size_t y_states = 0;
  std::span<double> draws;  // Draws of each cell and of the size, n_draws each.
  // Whether x has an effect in any draw; otherwise all rows of the table are the same.
  bool has_effect = false;
  bool is_adjusted = false;  // Whether any set adjusts.
  std::vector<double> seen;  // Counts of x and y; counts of y for each x if no set adjusts.
};

// The ends of the interval that holds the middle part of some draws, interpolated.
std::pair<double, double> interval(std::span<double> draws, double level) {
  const auto quantile = [&](double share) {
    const double place = share * static_cast<double>(draws.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto at = draws.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(draws.begin(), at, draws.end());
    if (below + 1 == draws.size()) return *at;
    return std::lerp(*at, *std::min_element(at + 1, draws.end()), place - std::floor(place));
  };
  const double outside = (1 - level) / 2;
  const double low = quantile(outside);
  return {low, quantile(1 - outside)};
}

// Quantiles of draws never reach the limits 0 and 1, even where the posterior is densest there: no
// interval would hold the probability of a state that always follows. So an end becomes the limit
// if no row speaks against the limit and the rows hardly tell the two apart, whose likelihoods
// differ by a factor of at most the level (Brown, Cai and DasGupta 2001 for one proportion).
void reach_limits(std::span<const double> seen, double level, std::span<double> low,
                  std::span<double> high) {
  const double n = std::accumulate(seen.begin(), seen.end(), 0.0);
  const double near = (1 - level) / (n + 1);
  for (std::size_t cell = 0; cell < seen.size(); ++cell) {
    if (seen[cell] == 0 && low[cell] < near) low[cell] = 0;
    if (seen[cell] == n && 1 - high[cell] < near) high[cell] = 1;
  }
}

class Estimator {
 public:
  Estimator(const CountSource& source, std::span<const std::int32_t> n_states,
            const EffectGroups& groups, const EffectSettings& settings,
            std::span<const std::size_t> cell_begins, const EffectAnswers& answers)
      : source_(source),
        n_states_(n_states),
        groups_(groups),
        settings_(settings),
        cell_begins_(cell_begins),
        answers_(answers),
        counter_(source.counter()) {}

  // Estimates the pairs of a block. Asks go_on before each set; false if it ever said no.
  template <typename GoOn>
  bool estimate(const Block& block, GoOn&& go_on) {
    start(block);
    double cumulated = 0;
    for (auto set = groups_.set_begins[block.group]; set < groups_.set_begins[block.group + 1];
         ++set) {
      if (!go_on()) return false;
      const double weight = groups_.weights[static_cast<std::size_t>(set)];
      const std::size_t first = n_drawn(cumulated);
      cumulated += weight;
      const bool is_last = set + 1 == groups_.set_begins[block.group + 1];
      add_set(block, static_cast<std::size_t>(set), weight, first,
              is_last ? settings_.n_draws : n_drawn(cumulated));
    }
    finish(block);
    return true;
  }

 private:
  [[nodiscard]] std::size_t states(std::int32_t variable) const {
    return static_cast<std::size_t>(n_states_[static_cast<std::size_t>(variable)]);
  }
  // The number of draws for the sets up to a sum of weights, in systematic sampling.
  [[nodiscard]] std::size_t n_drawn(double cumulated) const {
    const auto place = static_cast<double>(settings_.n_draws) * cumulated + 0.5;
    return std::min(static_cast<std::size_t>(place), settings_.n_draws);
  }
  [[nodiscard]] std::span<double> table(std::span<double> all, std::size_t pair) const {
    return all.subspan(cell_begins_[pair], cell_begins_[pair + 1] - cell_begins_[pair]);
  }

  void start(const Block& block) {
    x_ = groups_.x[block.group];
    pairs_.clear();
    std::size_t n_numbers = 0;
    for (std::size_t at = block.first; at < block.last; ++at) {
      n_numbers += (cell_begins_[at + 1] - cell_begins_[at] + 1) * settings_.n_draws;
    }
    numbers_.assign(n_numbers, 0.0);
    std::size_t begin = 0;
    for (std::size_t at = block.first; at < block.last; ++at) {
      const std::int32_t y = groups_.y[at];
      const auto stream =
          static_cast<std::uint64_t>(x_) * n_states_.size() + static_cast<std::uint64_t>(y);
      const std::size_t size = (cell_begins_[at + 1] - cell_begins_[at] + 1) * settings_.n_draws;
      pairs_.push_back({.random = Random(settings_.seed, stream),
                        .y = static_cast<std::size_t>(y),
                        .y_states = states(y),
                        .draws = std::span(numbers_).subspan(begin, size),
                        .seen = {}});
      begin += size;
      std::ranges::fill(table(answers_.means, at), 0.0);
      std::ranges::fill(table(answers_.least, at), 1.0);
      std::ranges::fill(table(answers_.most, at), 0.0);
    }
  }

  void add_set(const Block& block, std::size_t set, double weight, std::size_t first,
               std::size_t last) {
    const auto begin = static_cast<std::size_t>(groups_.member_begins[set]);
    const auto end = static_cast<std::size_t>(groups_.member_begins[set + 1]);
    const auto members = groups_.members.subspan(begin, end - begin);
    double set_states = 1;
    for (const std::int32_t member : members) set_states *= static_cast<double>(states(member));

    adjusted_.clear();
    inside_.clear();
    sets_.clear();
    for (std::size_t at = block.first; at < block.last; ++at) {
      const std::int32_t y = groups_.y[at];
      if (std::ranges::find(members, y) != members.end()) {
        inside_.push_back(at);
        continue;
      }
      adjusted_.push_back(at);
      for (const std::int32_t member : members) push(member);
      push(x_);
      push(y);
      sets_.close();
    }
    std::size_t open = adjusted_.size();
    counter_->count_strata(sets_, [&](std::size_t at, const auto& stratum) {
      if (at != open) {
        if (open < adjusted_.size()) add(block, adjusted_[open], weight, first, last);
        open = at;
        table_.start(states(x_), states(groups_.y[adjusted_[at]]), set_states, settings_.ess,
                     source_.total());
      }
      copy(stratum, static_cast<std::size_t>(x_),
           static_cast<std::size_t>(groups_.y[adjusted_[at]]));
    });
    if (open < adjusted_.size()) add(block, adjusted_[open], weight, first, last);
    add_without_effect(block, weight, first, last);
  }

  void push(std::int32_t variable) { sets_.push_back(static_cast<std::uint16_t>(variable)); }

  // Copies a table of the states that occur into one of all states.
  template <typename Counts>
  void copy(const Counts& stratum, std::size_t x, std::size_t y) {
    const auto counts = table_.add_state();
    const auto y_states = static_cast<std::size_t>(n_states_[y]);
    std::size_t at = 0;
    for (const std::size_t row : source_.observed(x)) {
      for (const std::size_t column : source_.observed(y)) {
        counts[row * y_states + column] = static_cast<double>(stratum[at++]);
      }
    }
  }

  // Adds one set of one pair, whose counts are in the table.
  void add(const Block& block, std::size_t pair, double weight, std::size_t first,
           std::size_t last) {
    Pair& own = pairs_[pair - block.first];
    means_.resize(cell_begins_[pair + 1] - cell_begins_[pair]);
    table_.mean(means_);
    add_means(pair, means_, weight);
    if (!own.is_adjusted) {
      own.seen.assign(means_.size(), 0.0);
      table_.add_counts(own.seen);
      own.is_adjusted = true;
    }
    table_.draw(own.random, first, last, settings_.n_draws, own.draws);
    own.has_effect = own.has_effect || first < last;
  }

  void add_means(std::size_t pair, std::span<const double> means, double weight) {
    const auto sums = table(answers_.means, pair);
    const auto least = table(answers_.least, pair);
    const auto most = table(answers_.most, pair);
    for (std::size_t cell = 0; cell < means.size(); ++cell) {
      sums[cell] += weight * means[cell];
      least[cell] = std::min(least[cell], means[cell]);
      most[cell] = std::max(most[cell], means[cell]);
    }
  }

  // Adds the set for pairs whose y is in it: p(y | do(x)) is p(y), whatever x is.
  void add_without_effect(const Block& block, double weight, std::size_t first, std::size_t last) {
    sets_.clear();
    for (const std::size_t pair : inside_) {
      push(groups_.y[pair]);
      sets_.close();
    }
    counter_->count_all(sets_, [&](std::size_t at, const auto& counts) {
      const std::size_t pair = inside_[at];
      Pair& own = pairs_[pair - block.first];
      shapes_.assign(own.y_states, settings_.ess / static_cast<double>(own.y_states));
      means_.resize(cell_begins_[pair + 1] - cell_begins_[pair]);
      if (!own.is_adjusted) own.seen.assign(means_.size(), 0.0);
      std::size_t next = 0;
      for (const std::size_t state : source_.observed(own.y)) {
        const auto count = static_cast<double>(counts[next++]);
        shapes_[state] += count;
        if (own.is_adjusted) continue;
        for (std::size_t row = 0; row < means_.size(); row += own.y_states) {
          own.seen[row + state] = count;
        }
      }
      for (std::size_t cell = 0; cell < means_.size(); ++cell) {
        means_[cell] = shapes_[cell % own.y_states] / (source_.total() + settings_.ess);
      }
      add_means(pair, means_, weight);
      const DirichletShape shape(shapes_);
      row_.resize(own.y_states);
      for (std::size_t draw = first; draw < last; ++draw) {
        shape.draw(own.random, row_);
        for (std::size_t cell = 0; cell < means_.size(); ++cell) {
          own.draws[cell * settings_.n_draws + draw] = row_[cell % own.y_states];
        }
      }
    });
  }

  void finish(const Block& block) {
    const std::size_t n_draws = settings_.n_draws;
    for (std::size_t pair = block.first; pair < block.last; ++pair) {
      Pair& own = pairs_[pair - block.first];
      const std::size_t n_cells = cell_begins_[pair + 1] - cell_begins_[pair];
      const auto sizes = own.draws.subspan(n_cells * n_draws, n_draws);
      double sum = 0;
      for (std::size_t draw = 0; own.has_effect && draw < n_draws; ++draw) {
        sizes[draw] = jensen_shannon(own.draws.subspan(draw, n_cells * n_draws - draw), states(x_),
                                     own.y_states, n_draws);
        sum += sizes[draw];
      }
      keep_draws(pair, own);
      const auto low = table(answers_.low, pair);
      const auto high = table(answers_.high, pair);
      const std::size_t n_different = own.has_effect ? n_cells : own.y_states;
      for (std::size_t cell = 0; cell < n_different; ++cell) {
        const auto draws = own.draws.subspan(cell * n_draws, n_draws);
        std::tie(low[cell], high[cell]) = interval(draws, settings_.level);
      }
      for (std::size_t cell = n_different; cell < n_cells; ++cell) {
        low[cell] = low[cell % own.y_states];
        high[cell] = high[cell % own.y_states];
      }
      for (std::size_t row = 0; row < n_cells; row += own.y_states) {
        reach_limits(std::span(own.seen).subspan(row, own.y_states), settings_.level,
                     low.subspan(row, own.y_states), high.subspan(row, own.y_states));
      }
      const auto [size_low, size_high] = interval(sizes, settings_.level);
      answers_.sizes[3 * pair] = sum / static_cast<double>(n_draws);
      answers_.sizes[3 * pair + 1] = size_low;
      answers_.sizes[3 * pair + 2] = size_high;
    }
  }

  // Keeps the draws. Must be called before quantiles are taken, which put the draws of a cell into
  // another order.
  void keep_draws(std::size_t pair, const Pair& own) {
    if (answers_.draws.empty()) return;
    const std::size_t begin = cell_begins_[pair] * settings_.n_draws;
    const std::size_t size = cell_begins_[pair + 1] * settings_.n_draws - begin;
    std::ranges::copy(own.draws.first(size), answers_.draws.subspan(begin, size).begin());
  }

  const CountSource& source_;
  std::span<const std::int32_t> n_states_;
  const EffectGroups& groups_;
  const EffectSettings& settings_;
  std::span<const std::size_t> cell_begins_;
  const EffectAnswers& answers_;
  std::unique_ptr<BatchCounter> counter_;
  SetBatch sets_;
  AdjustedTable table_;
  std::int32_t x_ = 0;
  std::vector<Pair> pairs_;
  std::vector<double> numbers_;        // Draws of all pairs.
  std::vector<std::size_t> adjusted_;  // Pairs that the set is used for.
  std::vector<std::size_t> inside_;    // Pairs whose y is in the set.
  std::vector<double> means_;
  std::vector<double> shapes_;
  std::vector<double> row_;
};

std::vector<Block> blocks_of(const EffectGroups& groups, std::span<const std::size_t> cell_begins,
                             std::size_t n_draws) {
  std::vector<Block> blocks;
  for (std::size_t group = 0; group < groups.x.size(); ++group) {
    const auto end = static_cast<std::size_t>(groups.y_begins[group + 1]);
    for (auto first = static_cast<std::size_t>(groups.y_begins[group]); first < end;) {
      std::size_t last = first + 1;
      while (last < end &&
             (cell_begins[last + 1] - cell_begins[first] + last + 1 - first) * n_draws <=
                 kMostDraws) {
        ++last;
      }
      blocks.push_back({group, first, last});
      first = last;
    }
  }
  return blocks;
}

}  // namespace

bool estimate_effects(const CountSource& source, std::span<const std::int32_t> n_states,
                      const EffectGroups& groups, const EffectSettings& settings,
                      unsigned n_threads, const EffectAnswers& answers, Control& control) {
  assert(settings.n_draws > 0);
  std::vector<std::size_t> cell_begins{0};
  for (std::size_t group = 0; group < groups.x.size(); ++group) {
    const auto x_states =
        static_cast<std::size_t>(n_states[static_cast<std::size_t>(groups.x[group])]);
    for (auto at = groups.y_begins[group]; at < groups.y_begins[group + 1]; ++at) {
      const auto y = static_cast<std::size_t>(groups.y[static_cast<std::size_t>(at)]);
      cell_begins.push_back(cell_begins.back() + x_states * static_cast<std::size_t>(n_states[y]));
    }
  }
  const std::vector<Block> blocks = blocks_of(groups, cell_begins, settings.n_draws);
  std::vector<std::unique_ptr<Estimator>> workers(std::max(n_threads, 1U));
  for (auto& each : workers) {
    each = std::make_unique<Estimator>(source, n_states, groups, settings, cell_begins, answers);
  }
  if (!control.poll({.done = 0, .total = blocks.size()})) return false;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> n_done{0};
  parallel_blocks(blocks.size(), n_threads, stop, [&](std::size_t block, unsigned worker) {
    const bool is_done = workers[worker]->estimate(blocks[block], [&] {
      if (worker == 0 && !control.poll({.done = n_done, .total = blocks.size()})) stop = true;
      return !stop.load(std::memory_order_relaxed);
    });
    if (is_done) ++n_done;
  });
  return n_done == blocks.size();
}

}  // namespace credenet
