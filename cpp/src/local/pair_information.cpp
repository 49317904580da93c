#include "credenet/local/pair_information.hpp"

#include <algorithm>
#include <atomic>

#include "credenet/util/parallel.hpp"

namespace credenet {

PairInformation::PairInformation(const CountSource& source, unsigned n_threads)
    : n_log_n_(CountFunction::n_log_n(source.total())),
      all_(n_log_n_(source.total())),
      counters_(source.counters(n_threads)) {
  SetBatch singles;
  for (std::size_t v = 0; v < source.n_variables(); ++v) {
    singles.push_back(static_cast<std::uint16_t>(v));
    singles.close();
  }
  alone_ = sums(singles, 0);
}

std::vector<double> PairInformation::with(std::size_t variable,
                                          std::span<const std::uint16_t> others,
                                          unsigned worker) const {
  SetBatch pairs;
  for (const std::uint16_t other : others) {
    pairs.push_back(static_cast<std::uint16_t>(variable));
    pairs.push_back(other);
    pairs.close();
  }
  std::vector<double> found = sums(pairs, worker);
  for (std::size_t at = 0; at < others.size(); ++at) {
    found[at] = found[at] - alone_[variable] - alone_[others[at]] + all_;
  }
  return found;
}

std::vector<double> PairInformation::sums(const SetBatch& sets, unsigned worker) const {
  std::vector<double> found(sets.size(), 0.0);
  counters_[worker]->count(sets, [&](std::size_t at, const auto& counts) {
    for (const auto count : counts) found[at] += n_log_n_(count);
  });
  return found;
}

PairInformationTable pair_information(const CountSource& source, unsigned n_threads,
                                      Control& control) {
  const std::size_t n = source.n_variables();
  PairInformationTable table{std::vector<double>(n * n, 0.0)};
  const PairInformation information(source, n_threads);
  std::atomic<bool> stop{false};
  std::atomic<std::size_t> n_done{0};
  parallel_blocks(n, n_threads, stop, [&](std::size_t v, unsigned worker) {
    std::vector<std::uint16_t> others;
    for (std::size_t other = 0; other < v; ++other) {
      others.push_back(static_cast<std::uint16_t>(other));
    }
    const std::vector<double> found = information.with(v, others, worker);
    for (std::size_t other = 0; other < v && source.total() > 0; ++other) {
      const double value = std::max(found[other], 0.0) / source.total();
      table.values[v * n + other] = table.values[other * n + v] = value;
    }
    const std::size_t done = ++n_done;
    if (worker == 0 && !control.poll({done, n})) stop = true;
  });
  table.status = ended(n_done == n);
  return table;
}

}  // namespace credenet
