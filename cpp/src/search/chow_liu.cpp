// Prim's algorithm: the tree grows from the root by the variable that has most information about
// one in it. When a variable joins, its information about all that are left is counted, so every
// pair is counted once and only one number for each variable is kept.
#include "credenet/search/chow_liu.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "credenet/counts/set_counter.hpp"
#include "credenet/scores/count_function.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {

ChowLiuTree chow_liu(const RowTable& rows, std::size_t root, std::span<const std::uint8_t> allowed,
                     unsigned n_threads, Control& control) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const std::size_t n = rows.n_variables();
  ChowLiuTree tree{std::vector<std::int32_t>(n, -1), std::vector<double>(n, 0.0), false};
  const CountFunction n_log_n = CountFunction::n_log_n(rows.total());
  std::vector<SetCounter> counters(std::max(n_threads, 1U), SetCounter(rows));
  const auto sum = [&](SetCounter& counter, std::span<const std::uint16_t> variables) {
    double result = 0;
    counter.count(variables, [&](double count) { result += n_log_n(count); });
    return result;
  };
  std::vector<double> alone(n);  // sums of n log n
  for (std::size_t v = 0; v < n; ++v) {
    const auto variable = static_cast<std::uint16_t>(v);
    alone[v] = sum(counters[0], {&variable, 1});
  }
  std::vector<std::uint8_t> joined(n, 0);
  std::vector<double> most(n, kNone);  // information about the tree, times the rows
  std::size_t next = root;
  for (std::size_t n_joined = 0; n_joined < n; ++n_joined) {
    joined[next] = 1;
    constexpr std::size_t kBlock = 32;
    std::atomic<bool> stop{false};
    parallel_blocks(
        (n + kBlock - 1) / kBlock, n_threads, stop, [&](std::size_t block, unsigned worker) {
          for (std::size_t v = block * kBlock; v < std::min(n, (block + 1) * kBlock); ++v) {
            if (joined[v] != 0) continue;
            if (!allowed.empty() && allowed[next * n + v] == 0) continue;
            const std::uint16_t pair[2] = {static_cast<std::uint16_t>(next),
                                           static_cast<std::uint16_t>(v)};
            const double information =
                sum(counters[worker], pair) - alone[next] - alone[v] + n_log_n(rows.total());
            if (information <= most[v]) continue;
            most[v] = information;
            tree.parents[v] = static_cast<std::int32_t>(next);
          }
        });
    if (!control.poll({n_joined + 1, n})) {
      for (std::size_t v = 0; v < n; ++v) {
        if (joined[v] == 0) tree.parents[v] = -1;
      }
      return tree;
    }
    std::size_t best = n;
    for (std::size_t v = 0; v < n; ++v) {
      if (joined[v] == 0 && (best == n || most[v] > most[best])) best = v;
    }
    if (best == n) break;
    if (most[best] > kNone && rows.total() > 0) {
      tree.information[best] = std::max(most[best], 0.0) / rows.total();
    }
    next = best;
  }
  tree.complete = true;
  return tree;
}

}  // namespace credenet
