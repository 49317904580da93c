#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/scores/count_function.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// Counts the mutual information of pairs of variables. Each worker of n_threads may call with its
// number at the same time as others.
class PairInformation {
 public:
  PairInformation(const CountSource& source, unsigned n_threads);

  // The mutual information of a variable with each of the others, in nats times the total of the
  // rows. Rounding can make it a little negative.
  [[nodiscard]] std::vector<double> with(std::size_t variable,
                                         std::span<const std::uint16_t> others,
                                         unsigned worker) const;

 private:
  // Sums of n log n over the cells of each set.
  [[nodiscard]] std::vector<double> sums(const SetBatch& sets, unsigned worker) const;

  CountFunction n_log_n_;
  double all_;  // Value of n log n for the total of the rows.
  std::vector<std::unique_ptr<BatchCounter>> counters_;
  std::vector<double> alone_;  // Sums of the single variables.
};

struct PairInformationTable {
  std::vector<double> values;  // Row by row, symmetric, in nats for a row; 0 on the diagonal.
  // Other than kComplete if some pairs are 0 because they were not counted.
  Status status = Status::kComplete;
};

// The mutual information of all pairs.
[[nodiscard]] PairInformationTable pair_information(const CountSource& source, unsigned n_threads,
                                                    Control& control);

}  // namespace credenet
