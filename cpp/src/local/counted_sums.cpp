#include "credenet/local/counted_sums.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

// Sums (some 200 MB) above which all are forgotten; a climb needs few of the old ones again.
constexpr std::size_t kMostSums = std::size_t{1} << 21;

std::vector<std::uint16_t> joined(std::span<const std::uint16_t> first,
                                  std::span<const std::uint16_t> second,
                                  std::span<const std::uint16_t> third) {
  std::vector<std::uint16_t> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  all.insert(all.end(), third.begin(), third.end());
  return all;
}

}  // namespace

std::uint64_t CountedSums::Key::hash() const {
  std::uint64_t value = variables.size() + (static_cast<std::uint64_t>(child_states) << 32);
  for (const std::uint16_t variable : variables) {
    value = (value ^ variable) * 0x9E3779B97F4A7C15ULL;
    value ^= value >> 29;
  }
  return value;
}

bool CountedSums::supports(const CountSource& source, const ScoreSettings& settings) {
  return settings.abilities().sums_whole_functions && !source.is_weighted();
}

CountedSums::CountedSums(const CountSource& source, const ScoreSettings& settings,
                         unsigned n_threads)
    : settings_(settings),
      n_threads_(std::max(n_threads, 1U)),
      functions_(settings, source.total()),
      counters_(source.counters(n_threads_)),
      block_sets_(std::max<std::size_t>(32, source.sets_at_once())) {}

double CountedSums::n_cells(std::span<const std::uint16_t> variables) const {
  double product = 1;
  for (const std::uint16_t variable : variables) product *= settings_.n_states[variable];
  return product;
}

CountedSums::Family CountedSums::ask(std::uint16_t child, std::span<const std::uint16_t> parents,
                                     std::span<const std::uint16_t> added) {
  const auto place = [&](std::vector<Wanted>& wanted, std::vector<std::uint16_t> in_order,
                         std::int32_t child_states, const auto& function_of) {
    Key key{in_order, child_states};
    std::ranges::sort(key.variables);
    const std::uint32_t at = index_.insert(key);
    if (at == sums_.size()) {
      sums_.push_back(0);
      const WholeFunction& function = function_of(n_cells(in_order));
      wanted.push_back({std::move(in_order), &function, at});
    }
    return at;
  };
  const auto of_family = [&](double cells) -> const WholeFunction& {
    return functions_.of_family(cells);
  };
  const auto of_parents = [&](double cells) -> const WholeFunction& {
    return functions_.of_parents(child, cells);
  };
  // The function of the parents' counts depends on the child where pseudo-counts are fixed.
  const bool is_fixed = settings_.abilities().pseudo_counts == PseudoCounts::kFixed;
  const std::int32_t states = is_fixed ? settings_.n_states[child] : 0;
  return {place(families_, joined(parents, {&child, 1}, added), 0, of_family),
          place(parents_, joined(parents, {}, added), states, of_parents)};
}

void CountedSums::count() {
  families_.insert(families_.end(), std::make_move_iterator(parents_.begin()),
                   std::make_move_iterator(parents_.end()));
  parents_.clear();
  std::atomic<bool> stop{false};
  parallel_blocks((families_.size() + block_sets_ - 1) / block_sets_, n_threads_, stop,
                  [&](std::size_t block, unsigned worker) {
                    const auto listed = std::span(families_).subspan(block * block_sets_);
                    SetBatch sets;
                    for (const Wanted& each : listed.first(std::min(listed.size(), block_sets_))) {
                      sets.add(each.variables);
                    }
                    counters_[worker]->count(sets, [&](std::size_t at, const auto& counts) {
                      std::int64_t sum = 0;
                      for (const auto count : counts) {
                        sum += (*listed[at].function)(static_cast<std::uint32_t>(count));
                      }
                      sums_[listed[at].at] = sum;
                    });
                  });
  families_.clear();
}

void CountedSums::forget() {
  functions_.forget();
  if (index_.size() <= kMostSums) return;
  index_ = {};
  sums_.clear();
}

}  // namespace credenet
