// Each variable is explored by itself, in turns of growing length; threads share the variables.
#include "credenet/families/explore_families.hpp"

#include <algorithm>
#include <atomic>

#include "credenet/families/exploration.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

template <std::size_t kWords>
Families explore(const CountSource& source, const ScoreSettings& settings,
                 std::span<const ChildRules> rules, const FamilyOptions& options,
                 const ExplorationLimits& limits, SharedTerms& shared, Control& control) {
  using VariableExploration = Exploration<kWords>;
  std::vector<VariableExploration> explorations;
  std::vector<std::size_t> active;
  for (std::size_t child = 0; child < rules.size(); ++child) {
    explorations.emplace_back(source, settings, rules[child], options, limits, child);
    if (!explorations.back().is_done()) active.push_back(child);
  }
  const unsigned n_threads = std::max(options.n_threads, 1U);
  std::vector<FamilyTerms> terms;
  for (unsigned worker = 0; worker < n_threads; ++worker) {
    terms.emplace_back(source, settings, shared);
  }
  // At first one family for each variable, then more at a time, up to some milliseconds of work.
  std::size_t n_in_turn = 1;
  const std::size_t most_in_turn =
      std::max(VariableExploration::kBatch,
               (std::size_t{1} << 22) / std::max<std::size_t>(source.n_rows(), 1));
  std::atomic<bool> stop{false};
  while (!active.empty() && !stop) {
    const Progress progress{rules.size() - active.size(), rules.size()};
    parallel_blocks(active.size(), n_threads, stop, [&](std::size_t block, unsigned worker) {
      explorations[active[block]].run(terms[worker], n_in_turn, [&] {
        if (worker == 0 && !control.poll(progress)) stop = true;
        return !stop.load(std::memory_order_relaxed);
      });
    });
    std::erase_if(active, [&](std::size_t child) { return explorations[child].is_done(); });
    n_in_turn = std::min(most_in_turn, std::max(VariableExploration::kBatch, 2 * n_in_turn));
  }

  Families result;
  result.children.resize(rules.size());
  std::atomic<bool> never{false};
  parallel_blocks(rules.size(), n_threads, never, [&](std::size_t child, unsigned) {
    explorations[child].sets().report(result.children[child]);
  });
  for (const VariableExploration& each : explorations) {
    result.n_evaluated += each.sets().n_evaluated();
    result.n_levels = std::max(result.n_levels, each.sets().n_levels());
  }
  for (const Status status : {Status::kIterationLimit, Status::kMemoryLimit, Status::kStopped}) {
    const bool some = std::ranges::any_of(
        explorations, [&](const VariableExploration& each) { return each.status() == status; });
    if (some) result.status = status;
  }
  return result;
}

}  // namespace

Families explore_families(const CountSource& source, const ScoreSettings& settings,
                          std::span<const ChildRules> rules, const FamilyOptions& options,
                          std::size_t max_families, Control& control) {
  const std::size_t n = rules.size();
  ExplorationLimits limits{max_families, 0};
  std::size_t n_shared = n;
  if (options.max_bytes != 0 && n != 0) {
    const std::size_t shared_bytes = n * (n + 1) / 2 * SharedTerms::kSetBytes;
    if (shared_bytes > options.max_bytes / 4) n_shared = 0;
    limits.max_bytes =
        std::max<std::size_t>((options.max_bytes - (n_shared == 0 ? 0 : shared_bytes)) / n, 1);
  }
  SharedTerms shared(n_shared);
  if (n <= 64) return explore<1>(source, settings, rules, options, limits, shared, control);
  if (n <= 128) return explore<2>(source, settings, rules, options, limits, shared, control);
  if (n <= 256) return explore<4>(source, settings, rules, options, limits, shared, control);
  if (n <= 1088) return explore<17>(source, settings, rules, options, limits, shared, control);
  return explore<64>(source, settings, rules, options, limits, shared, control);
}

}  // namespace credenet
