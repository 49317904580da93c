// Forward sampling, variable by variable over blocks of rows. A probability row becomes cumulative
// thresholds on a 63-bit scale and the state drawn is the number of thresholds at or below a 63-bit
// uniform number, so a state of probability zero is never drawn. Each block has its own random
// stream: the rows depend on the seed alone, not on the threads. Cost: about one random number, one
// gathered threshold and n_states - 1 comparisons per cell.
#include "credenet/models/forward.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <vector>

#include "credenet/models/parent_keys.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/portable.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

constexpr std::size_t kBlockRows = 1024;
constexpr std::size_t kLanes = 8;                         // Generators that run in parallel.
constexpr std::uint64_t kNever = std::uint64_t{1} << 63;  // Threshold above every draw.

// Eight parallel xoshiro256++ generators, for the vector units.
struct RandomLanes {
  std::array<std::array<std::uint64_t, kLanes>, 4> state{};

  RandomLanes(std::uint64_t seed, std::uint64_t stream) {
    Random seeder(seed, stream);
    for (auto& word : state) {
      for (std::uint64_t& lane : word) lane = seeder();
    }
  }
};

CREDENET_CLONES void fill_draws(RandomLanes& random, std::uint64_t* draws, std::size_t count) {
  auto& s = random.state;
  for (std::size_t begin = 0; begin < count; begin += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t sum = s[0][lane] + s[3][lane];
      draws[begin + lane] = (((sum << 23) | (sum >> 41)) + s[0][lane]) >> 1;
      const std::uint64_t shifted = s[1][lane] << 17;
      s[2][lane] ^= s[0][lane];
      s[3][lane] ^= s[1][lane];
      s[1][lane] ^= s[2][lane];
      s[0][lane] ^= s[3][lane];
      s[2][lane] ^= shifted;
      s[3][lane] = (s[3][lane] << 45) | (s[3][lane] >> 19);
    }
  }
}

// Appends n_states - 1 thresholds for each parent state; the largest state with positive
// probability takes what rounding leaves.
void append_thresholds(std::span<const double> row, std::vector<std::uint64_t>& thresholds) {
  double total = 0.0;
  std::size_t last_positive = 0;
  for (std::size_t state = 0; state < row.size(); ++state) {
    total += row[state];
    if (row[state] > 0.0) last_positive = state;
  }
  double cumulative = 0.0;
  for (std::size_t state = 0; state + 1 < row.size(); ++state) {
    cumulative += row[state];
    const double share = std::min(cumulative / total, 1.0);
    thresholds.push_back(state >= last_positive || share >= 1.0
                             ? kNever
                             : static_cast<std::uint64_t>(std::ldexp(share, 63)));
  }
}

template <typename Code>
CREDENET_CLONES void draw_binary(const std::uint64_t* thresholds, const std::uint32_t* keys,
                                 const std::uint64_t* draws, std::size_t count, Code* states) {
  for (std::size_t row = 0; row < count; ++row) {
    states[row] = static_cast<Code>(draws[row] >= thresholds[keys[row]]);
  }
}

template <typename Code>
CREDENET_CLONES void draw_few(const std::uint64_t* thresholds, std::size_t width,
                              const std::uint32_t* keys, const std::uint64_t* draws,
                              std::size_t count, Code* states) {
  for (std::size_t row = 0; row < count; ++row) {
    const std::uint64_t* bounds = thresholds + keys[row] * width;
    std::uint32_t state = 0;
    for (std::size_t k = 0; k < width; ++k) state += draws[row] >= bounds[k] ? 1U : 0U;
    states[row] = static_cast<Code>(state);
  }
}

template <typename Code>
void draw_many(const std::uint64_t* thresholds, std::size_t width, const std::uint32_t* keys,
               const std::uint64_t* draws, std::size_t count, Code* states) {
  for (std::size_t row = 0; row < count; ++row) {
    const std::uint64_t* bounds = thresholds + keys[row] * width;
    states[row] = static_cast<Code>(std::upper_bound(bounds, bounds + width, draws[row]) - bounds);
  }
}

}  // namespace

template <typename Code>
bool sample_forward(const FactorsView& network, std::span<const std::int32_t> order,
                    std::size_t n_rows, std::uint64_t seed, unsigned n_threads, Control& control,
                    Code* codes) {
  const std::size_t n_variables = network.n_variables();
  std::vector<std::uint64_t> thresholds;
  std::vector<std::size_t> threshold_begin(n_variables);
  for (std::size_t variable = 0; variable < n_variables; ++variable) {
    threshold_begin[variable] = thresholds.size();
    const auto n_states = static_cast<std::size_t>(network.n_states[variable]);
    const auto table =
        network.tables.subspan(network.table_begin(variable), network.table_size(variable));
    for (std::size_t begin = 0; begin < table.size(); begin += n_states) {
      append_thresholds(table.subspan(begin, n_states), thresholds);
    }
  }

  const std::size_t n_blocks = (n_rows + kBlockRows - 1) / kBlockRows;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  parallel_blocks(n_blocks, n_threads, stop, [&](std::size_t block, unsigned worker) {
    RandomLanes random(seed, block);
    std::array<std::uint64_t, kBlockRows> draws;
    std::array<std::uint32_t, kBlockRows> keys;
    const std::size_t first_row = block * kBlockRows;
    const std::size_t count = std::min(kBlockRows, n_rows - first_row);
    for (const std::int32_t signed_variable : order) {
      const auto variable = static_cast<std::size_t>(signed_variable);
      fill_draws(random, draws.data(), kBlockRows);
      parent_keys(codes, n_rows, first_row, network.parents_of(variable), network.n_states,
                  std::span(keys).first(count));
      const std::uint64_t* bounds = thresholds.data() + threshold_begin[variable];
      Code* states = codes + variable * n_rows + first_row;
      const auto width = static_cast<std::size_t>(network.n_states[variable]) - 1;
      if (width == 1) {
        draw_binary(bounds, keys.data(), draws.data(), count, states);
      } else if (width <= 8) {
        draw_few(bounds, width, keys.data(), draws.data(), count, states);
      } else {
        draw_many(bounds, width, keys.data(), draws.data(), count, states);
      }
    }
    done += count;
    if (worker == 0 && !control.poll({done.load(), n_rows})) stop = true;
  });
  return !stop;
}

template bool sample_forward(const FactorsView&, std::span<const std::int32_t>, std::size_t,
                             std::uint64_t, unsigned, Control&, std::uint8_t*);
template bool sample_forward(const FactorsView&, std::span<const std::int32_t>, std::size_t,
                             std::uint64_t, unsigned, Control&, std::uint16_t*);

}  // namespace credenet
