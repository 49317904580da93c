#include "credenet/lattice/heuristics/cycle_patterns.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <tuple>

#include "credenet/lattice/heuristics/fractional_matching.hpp"
#include "credenet/lattice/heuristics/pattern_groups.hpp"
#include "credenet/util/flat_index.hpp"

namespace credenet {
namespace {

constexpr std::size_t kPollEvery = 1 << 10;  // Sets from one poll to the next.
constexpr double kRounding = 1e-9;           // Smaller differences of losses are rounding.

struct SetKey {
  std::uint64_t set = 0;
  bool operator==(const SetKey&) const = default;
  [[nodiscard]] std::uint64_t hash() const {
    return ((set ^ (set >> 32)) * 0x9E3779B97F4A7C15ULL) >> 32;
  }
};

}  // namespace

std::size_t CyclePatterns::bytes(std::size_t n_variables, std::size_t cycle_size) {
  constexpr std::size_t kPerSet = 80;  // Bytes of a set: key, slots while they grow, loss, pattern.
  double sets = 1;
  double all = 0;
  for (std::size_t size = 1; size <= std::min(cycle_size, n_variables); ++size) {
    sets *= static_cast<double>(n_variables - size + 1) / static_cast<double>(size);
    all += sets;
  }
  constexpr double kMost = 1e18;  // Largest estimate that is converted to a whole number.
  return static_cast<std::size_t>(std::min(all * kPerSet, kMost));
}

CyclePatterns::CyclePatterns(const ComponentLists& lists, const OrderGraph& graph,
                             std::size_t cycle_size, Control& control)
    : simple_(lists), everything_(graph.everything()) {
  assert(cycle_size >= 2);
  if (cycle_size == 2) {
    pair_losses_ = pair_losses(graph);
  } else {
    list_patterns(graph, cycle_size, control);
  }
}

// Lists patterns layer by layer as in the static tables: loss(R) = min over v in R of v's loss
// without R, plus loss(R - v). A pattern is kept if no two parts of it lose as much.
void CyclePatterns::list_patterns(const OrderGraph& graph, std::size_t cycle_size,
                                  Control& control) {
  const std::size_t n = graph.n_variables();
  FlatIndex<SetKey> index;
  std::vector<double> losses{0};
  index.insert({0});
  std::size_t begin = 0;
  for (std::size_t size = 1; size <= std::min(cycle_size, n); ++size) {
    const std::size_t end = index.size();
    for (std::size_t smaller = begin; smaller < end; ++smaller) {
      const std::uint64_t base = index.keys()[smaller].set;
      for (auto top = static_cast<std::size_t>(std::bit_width(base)); top < n; ++top) {
        const std::uint64_t set = base | std::uint64_t{1} << top;
        double loss = std::numeric_limits<double>::infinity();
        for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
          const auto v = static_cast<std::size_t>(std::countr_zero(rest));
          const std::size_t k = graph.best_parents()(v, graph.everything() & ~set);
          const std::uint64_t others = set & ~(rest & (0 - rest));
          loss = std::min(loss, graph.loss(v, k) + losses[index.find({others})]);
        }
        double of_parts = 0;
        for (std::uint64_t part = (set - 1) & set; part != 0; part = (part - 1) & set) {
          const double both = losses[index.find({part})] + losses[index.find({set & ~part})];
          of_parts = std::max(of_parts, both);
        }
        index.insert({set});
        losses.push_back(loss);
        if (loss > of_parts + kRounding) patterns_.push_back({set, loss});
      }
      if (smaller % kPollEvery == 0 && !control.poll({})) {
        is_complete_ = false;
        return;
      }
    }
    begin = end;
  }
  std::ranges::sort(patterns_, [](const Pattern& a, const Pattern& b) {
    return std::tie(b.loss, a.members) < std::tie(a.loss, b.members);
  });
}

double CyclePatterns::operator()(std::uint64_t placed) const {
  std::uint64_t left = everything_ & ~placed;
  if (!pair_losses_.empty()) {
    const auto n = static_cast<std::size_t>(std::popcount(everything_));
    return simple_(placed) - fractional_matching(pair_losses_, n, left);
  }
  double loss = 0;
  for (const Pattern& pattern : patterns_) {
    if ((pattern.members & ~left) != 0) continue;
    loss += pattern.loss;
    left &= ~pattern.members;
  }
  return simple_(placed) - loss;
}

}  // namespace credenet
