#include "credenet/treewidth/lane_splits.hpp"

#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

// Takes as many lanes at a time as fit, from a lane on. Returns the first lane left.
template <std::size_t kWidth>
[[gnu::always_inline]] inline std::size_t take(const Split* first, const Split* last,
                                               const double* kept, const double* given, double* row,
                                               std::size_t lane, std::size_t n_lanes) {
  for (; lane + kWidth <= n_lanes; lane += kWidth) {
    double most[kWidth];
    for (std::size_t at = 0; at < kWidth; ++at) most[at] = row[lane + at];
    for (const Split* split = first; split != last; ++split) {
      const double* a = kept + split->kept + lane;
      const double* b = given + split->given + lane;
      for (std::size_t at = 0; at < kWidth; ++at) {
        const double sum = a[at] + b[at];
        most[at] = sum > most[at] ? sum : most[at];
      }
    }
    for (std::size_t at = 0; at < kWidth; ++at) row[lane + at] = most[at];
  }
  return lane;
}

CREDENET_CLONES void take_all(const Split* splits, const std::size_t* starts, std::size_t n_sets,
                              const double* kept, const double* given, double* rows,
                              std::size_t n_lanes) {
  for (std::size_t set = 0; set < n_sets; ++set, rows += n_lanes) {
    const Split* first = splits + starts[set];
    const Split* last = splits + starts[set + 1];
    if (first == last) continue;
    std::size_t lane = take<8>(first, last, kept, given, rows, 0, n_lanes);
    lane = take<2>(first, last, kept, given, rows, lane, n_lanes);
    take<1>(first, last, kept, given, rows, lane, n_lanes);
  }
}

}  // namespace

void take_splits(std::span<const Split> splits, std::span<const std::size_t> starts,
                 const double* kept, const double* given, double* rows, std::size_t n_lanes) {
  take_all(splits.data(), starts.data(), starts.size() - 1, kept, given, rows, n_lanes);
}

}  // namespace credenet
