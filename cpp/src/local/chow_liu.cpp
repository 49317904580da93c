// Prim's algorithm: the tree grows from the root by the variable that has most information about
// one in it. When a variable joins, its information about all that are left is counted, so every
// pair is counted once and only one number for each variable is kept.
#include "credenet/local/chow_liu.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "credenet/local/pair_information.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {

ChowLiuTree chow_liu(const CountSource& source, std::size_t root,
                     std::span<const std::uint8_t> allowed, unsigned n_threads, Control& control) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const std::size_t n = source.n_variables();
  ChowLiuTree tree{std::vector<std::int32_t>(n, -1), std::vector<double>(n, 0.0)};
  const PairInformation information(source, n_threads);
  std::vector<std::uint8_t> joined(n, 0);
  std::vector<double> most(n, kNone);  // Information about the tree, times the total of the rows.
  std::size_t next = root;
  for (std::size_t n_joined = 0; n_joined < n; ++n_joined) {
    joined[next] = 1;
    constexpr std::size_t kBlock = 32;
    std::atomic<bool> stop{false};
    parallel_blocks(
        (n + kBlock - 1) / kBlock, n_threads, stop, [&](std::size_t block, unsigned worker) {
          std::vector<std::uint16_t> others;
          for (std::size_t v = block * kBlock; v < std::min(n, (block + 1) * kBlock); ++v) {
            if (joined[v] != 0) continue;
            if (!allowed.empty() && allowed[next * n + v] == 0) continue;
            others.push_back(static_cast<std::uint16_t>(v));
          }
          const std::vector<double> found = information.with(next, others, worker);
          for (std::size_t at = 0; at < others.size(); ++at) {
            const std::size_t v = others[at];
            if (found[at] <= most[v]) continue;
            most[v] = found[at];
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
