// Prim's algorithm: the tree grows from the root by the variable that has most information about
// one in it. When a variable joins, its information about all that are left is counted, so every
// pair is counted once and only one number for each variable is kept.
#include "credenet/local/chow_liu.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "credenet/scores/count_function.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {

ChowLiuTree chow_liu(const CountSource& source, std::size_t root,
                     std::span<const std::uint8_t> allowed, unsigned n_threads, Control& control) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const std::size_t n = source.n_variables();
  ChowLiuTree tree{std::vector<std::int32_t>(n, -1), std::vector<double>(n, 0.0)};
  const CountFunction n_log_n = CountFunction::n_log_n(source.total());
  const auto counters = source.counters(n_threads);
  // Sums of n log n of the sets of a batch.
  const auto sums = [&](BatchCounter& counter, const SetBatch& sets) {
    std::vector<double> found(sets.size(), 0.0);
    counter.count(sets, [&](std::size_t at, const auto& counts) {
      for (const auto count : counts) found[at] += n_log_n(count);
    });
    return found;
  };
  SetBatch singles;
  for (std::size_t v = 0; v < n; ++v) {
    singles.push_back(static_cast<std::uint16_t>(v));
    singles.close();
  }
  const std::vector<double> alone = sums(*counters[0], singles);
  std::vector<std::uint8_t> joined(n, 0);
  std::vector<double> most(n, kNone);  // information about the tree, times the rows
  std::size_t next = root;
  for (std::size_t n_joined = 0; n_joined < n; ++n_joined) {
    joined[next] = 1;
    constexpr std::size_t kBlock = 32;
    std::atomic<bool> stop{false};
    parallel_blocks(
        (n + kBlock - 1) / kBlock, n_threads, stop, [&](std::size_t block, unsigned worker) {
          SetBatch pairs;
          std::vector<std::size_t> others;
          for (std::size_t v = block * kBlock; v < std::min(n, (block + 1) * kBlock); ++v) {
            if (joined[v] != 0) continue;
            if (!allowed.empty() && allowed[next * n + v] == 0) continue;
            others.push_back(v);
            pairs.push_back(static_cast<std::uint16_t>(next));
            pairs.push_back(static_cast<std::uint16_t>(v));
            pairs.close();
          }
          const std::vector<double> together = sums(*counters[worker], pairs);
          for (std::size_t at = 0; at < others.size(); ++at) {
            const std::size_t v = others[at];
            const double information =
                together[at] - alone[next] - alone[v] + n_log_n(source.total());
            if (information <= most[v]) continue;
            most[v] = information;
            tree.parents[v] = static_cast<std::int32_t>(next);
          }
        });
    if (!control.poll({n_joined + 1, n})) {
      for (std::size_t v = 0; v < n; ++v) {
        if (joined[v] == 0) tree.parents[v] = -1;
      }
      tree.status = Status::kStopped;
      return tree;
    }
    std::size_t best = n;
    for (std::size_t v = 0; v < n; ++v) {
      if (joined[v] == 0 && (best == n || most[v] > most[best])) best = v;
    }
    if (best == n) break;
    if (most[best] > kNone && source.total() > 0) {
      tree.information[best] = std::max(most[best], 0.0) / source.total();
    }
    next = best;
  }
  return tree;
}

}  // namespace credenet
