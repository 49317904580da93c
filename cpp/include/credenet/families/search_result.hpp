#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "credenet/util/status.hpp"

namespace credenet {

// The difference up to which two scores of about this size are the same.
[[nodiscard]] inline double tolerance(double score) {
  return std::max(1e-9, 1e-12 * std::abs(score));
}

struct BoundPoint {
  double seconds = 0;
  double score = 0;
  double bound = 0;
};

// The result of a search: for each variable the position of a family in its list (empty without a
// network), and a bound on the score of all networks.
struct SearchResult {
  std::vector<std::int32_t> families;
  double score = -std::numeric_limits<double>::infinity();
  double bound = std::numeric_limits<double>::infinity();
  Status status = Status::kStopped;
  std::uint64_t n_expanded = 0;
  std::uint64_t n_generated = 0;
  std::size_t peak_bytes = 0;     // Largest bytes of the search's own tables.
  std::vector<BoundPoint> trace;  // History: a point whenever score or bound changed.
};

// Keeps the history of score and bound during a search.
class BoundTrace {
 public:
  void record(double score, double bound) {
    if (!points_.empty() && points_.back().score == score && points_.back().bound == bound) return;
    const std::chrono::duration<double> passed = Clock::now() - start_;
    points_.push_back({passed.count(), score, bound});
  }
  [[nodiscard]] std::vector<BoundPoint> take() { return std::move(points_); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  std::vector<BoundPoint> points_;
};

}  // namespace credenet
