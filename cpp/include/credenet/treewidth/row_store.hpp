#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace credenet {

// Rows of numbers that are given back all at once; the memory is kept for the next ones.
class RowStore {
 public:
  // A row whose numbers are not set.
  [[nodiscard]] double* take(std::size_t n_values) {
    while (at_ < chunks_.size() && used_ + n_values > chunks_[at_].size) {
      ++at_;
      used_ = 0;
    }
    if (at_ == chunks_.size()) {
      const std::size_t size = std::max(n_values, kChunk);
      chunks_.push_back({std::make_unique_for_overwrite<double[]>(size), size});
    }
    double* row = chunks_[at_].values.get() + used_;
    used_ += n_values;
    return row;
  }

  // Ends the life of all rows.
  void clear() { at_ = used_ = 0; }

 private:
  // Numbers of a chunk, unless a row is longer.
  static constexpr std::size_t kChunk = std::size_t{1} << 16;
  struct Chunk {
    std::unique_ptr<double[]> values;
    std::size_t size;
  };

  std::vector<Chunk> chunks_;
  std::size_t at_ = 0;    // Chunk in use.
  std::size_t used_ = 0;  // Numbers taken of the chunk in use.
};

}  // namespace credenet
