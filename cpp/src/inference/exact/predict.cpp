#include "credenet/inference/exact/predict.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <vector>

#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr std::size_t kBlockRows = 64;

// The evidence of one row in the form that a propagation takes.
template <typename Code>
class RowEvidence {
 public:
  RowEvidence(const PropagationLayout& layout, const EvidenceRows<Code>& rows)
      : layout_(layout),
        rows_(rows),
        states_(layout.observed.size(), 0),
        likelihoods_(layout.likelihoods.empty() ? 0 : layout.marginal_begin.back()) {
    std::vector<std::uint8_t> is_used(layout.observed.size(), 0);
    for (const SlicedTable& slice : layout.sliced) {
      for (const auto& [variable, stride] : slice.observed) {
        is_used[static_cast<std::size_t>(variable)] = 1;
      }
    }
    for (std::size_t variable = 0; variable < is_used.size(); ++variable) {
      if (is_used[variable]) used_.push_back(variable);
    }
  }

  Evidence of(std::size_t row) {
    for (const std::size_t variable : used_) states_[variable] = code(variable, row);
    for (const auto& [node, begin] : layout_.likelihoods) {
      const auto variable = static_cast<std::size_t>(node);
      const std::size_t first = layout_.marginal_begin[variable];
      const std::span likelihood(likelihoods_.data() + first,
                                 layout_.marginal_begin[variable + 1] - first);
      const std::int32_t state = code(variable, row);
      std::ranges::fill(likelihood, state == rows_.missing ? 1.0 : 0.0);
      if (state != rows_.missing) likelihood[static_cast<std::size_t>(state)] = 1.0;
    }
    return {states_, likelihoods_};
  }

 private:
  [[nodiscard]] std::int32_t code(std::size_t variable, std::size_t row) const {
    return rows_.codes[static_cast<std::size_t>(rows_.columns[variable]) * rows_.n_rows + row];
  }

  const PropagationLayout& layout_;
  const EvidenceRows<Code>& rows_;
  std::vector<std::int32_t> states_;
  std::vector<double> likelihoods_;
  std::vector<std::size_t> used_;
};

}  // namespace

template <typename Code>
bool predict(const FactorsView& factors, const PropagationLayout& layout,
             const EvidenceRows<Code>& rows, std::span<const std::int64_t> chosen,
             unsigned n_threads, Control& control, std::span<double> out) {
  struct Worker {
    Propagation propagation;
    RowEvidence<Code> evidence;

    Worker(const FactorsView& view, const PropagationLayout& shape, const EvidenceRows<Code>& all)
        : propagation(view, shape), evidence(shape, all) {}
  };
  const std::size_t n_blocks = (chosen.size() + kBlockRows - 1) / kBlockRows;
  std::vector<std::unique_ptr<Worker>> workers(std::max(n_threads, 1U));
  NoControl no_control;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  parallel_blocks(n_blocks, n_threads, stop, [&](std::size_t block, unsigned worker) {
    if (!workers[worker]) {
      workers[worker] = std::make_unique<Worker>(factors, layout, rows);
    }
    Propagation& propagation = workers[worker]->propagation;
    const std::size_t size = propagation.joint_size();
    const std::size_t last = std::min(chosen.size(), (block + 1) * kBlockRows);
    for (std::size_t at = block * kBlockRows; at < last; ++at) {
      const auto row = static_cast<std::size_t>(chosen[at]);
      propagation.collect(workers[worker]->evidence.of(row), Marginalisation::kSum, 1, no_control);
      const auto result = out.subspan(row * size, size);
      if (propagation.is_possible()) {
        propagation.joint(result);
      } else {
        std::ranges::fill(result, std::numeric_limits<double>::quiet_NaN());
      }
      if (worker == 0 && !control.poll({done.load(), chosen.size()})) stop = true;
      if (stop) return;
    }
    done += last - block * kBlockRows;
  });
  return !stop;
}

template bool predict(const FactorsView&, const PropagationLayout&,
                      const EvidenceRows<std::uint8_t>&, std::span<const std::int64_t>, unsigned,
                      Control&, std::span<double>);
template bool predict(const FactorsView&, const PropagationLayout&,
                      const EvidenceRows<std::uint16_t>&, std::span<const std::int64_t>, unsigned,
                      Control&, std::span<double>);

bool draw_rows(const Propagation& propagation, std::span<const std::int32_t> states,
               std::size_t n_rows, std::uint64_t seed, unsigned n_threads, Control& control,
               std::vector<std::int32_t>& rows) {
  rows.clear();
  for (const std::int32_t state : states) rows.insert(rows.end(), n_rows, state);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  parallel_blocks((n_rows + kBlockRows - 1) / kBlockRows, n_threads, stop,
                  [&](std::size_t block, unsigned worker) {
                    Random random(seed, block);
                    std::vector<std::int32_t> row(states.begin(), states.end());
                    const std::size_t last = std::min(n_rows, (block + 1) * kBlockRows);
                    for (std::size_t at = block * kBlockRows; at < last; ++at) {
                      propagation.draw(random, row);
                      for (std::size_t variable = 0; variable < row.size(); ++variable) {
                        rows[variable * n_rows + at] = row[variable];
                      }
                    }
                    done += last - block * kBlockRows;
                    if (worker == 0 && !control.poll({done.load(), n_rows})) stop = true;
                  });
  return !stop;
}

}  // namespace credenet
