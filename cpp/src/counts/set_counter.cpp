#include "credenet/counts/set_counter.hpp"

#include <algorithm>

#include "credenet/util/clones.hpp"

namespace credenet {
namespace {

constexpr std::size_t kFewCells = 1024;

// Four histograms in turn, so that equal neighbours do not wait for each other's store.
void tally_few(const std::uint32_t* cells, const std::uint16_t* codes, std::size_t n_rows,
               std::uint32_t n_states, std::size_t n_cells, std::uint32_t* counts) {
  std::fill_n(counts, 4 * n_cells, 0U);
  std::uint32_t* second = counts + n_cells;
  std::uint32_t* third = second + n_cells;
  std::uint32_t* fourth = third + n_cells;
  std::size_t row = 0;
  for (; row + 4 <= n_rows; row += 4) {
    ++counts[cells[row] * n_states + codes[row]];
    ++second[cells[row + 1] * n_states + codes[row + 1]];
    ++third[cells[row + 2] * n_states + codes[row + 2]];
    ++fourth[cells[row + 3] * n_states + codes[row + 3]];
  }
  for (; row < n_rows; ++row) ++counts[cells[row] * n_states + codes[row]];
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    counts[cell] += second[cell] + third[cell] + fourth[cell];
  }
}

}  // namespace

void SetCounter::keep_prefix(std::span<const std::uint16_t> variables) {
  std::size_t shared = 0;
  while (shared < depth_ && shared < variables.size() &&
         stack_[shared].variable == variables[shared]) {
    ++shared;
  }
  if (stack_.size() < variables.size()) stack_.resize(variables.size());
  for (depth_ = shared; depth_ < variables.size(); ++depth_) {
    Level& level = stack_[depth_];
    level.variable = variables[depth_];
    level.cells.resize(rows_.n_rows());
    const auto codes = rows_.column(level.variable);
    const std::uint32_t n_states = rows_.n_observed(level.variable);
    if (depth_ == 0) {
      level.n_cells = n_states;
      for (std::size_t row = 0; row < codes.size(); ++row) level.cells[row] = codes[row];
      continue;
    }
    const Level& above = stack_[depth_ - 1];
    renumbered_.assign(static_cast<std::size_t>(above.n_cells) * n_states, 0);
    std::uint32_t n_cells = 0;
    for (std::size_t row = 0; row < codes.size(); ++row) {
      std::uint32_t& number =
          renumbered_[static_cast<std::size_t>(above.cells[row]) * n_states + codes[row]];
      if (number == 0) number = ++n_cells;
      level.cells[row] = number - 1;
    }
    level.n_cells = n_cells;
  }
}

// Fills counts_ (or weighted_counts_) for the prefix and one more variable; the number of cells.
std::size_t SetCounter::tally(std::uint16_t variable) {
  const auto codes = rows_.column(variable);
  const std::size_t n_rows = codes.size();
  const std::uint32_t n_states = rows_.n_observed(variable);
  const auto multiplicities = rows_.multiplicities();
  const auto weights = rows_.weights();
  if (depth_ == 0) {
    counts_.assign(n_states, 0);
    if (!weights.empty()) {
      weighted_counts_.assign(n_states, 0.0);
      for (std::size_t row = 0; row < n_rows; ++row) weighted_counts_[codes[row]] += weights[row];
    } else if (!multiplicities.empty()) {
      for (std::size_t row = 0; row < n_rows; ++row) counts_[codes[row]] += multiplicities[row];
    } else {
      for (std::size_t row = 0; row < n_rows; ++row) ++counts_[codes[row]];
    }
    return n_states;
  }
  const Level& prefix = stack_[depth_ - 1];
  const std::uint32_t* cells = prefix.cells.data();
  const std::size_t n_cells = static_cast<std::size_t>(prefix.n_cells) * n_states;
  if (!weights.empty()) {
    weighted_counts_.assign(n_cells, 0.0);
    for (std::size_t row = 0; row < n_rows; ++row) {
      weighted_counts_[static_cast<std::size_t>(cells[row]) * n_states + codes[row]] +=
          weights[row];
    }
  } else if (!multiplicities.empty()) {
    counts_.assign(n_cells, 0);
    for (std::size_t row = 0; row < n_rows; ++row) {
      counts_[static_cast<std::size_t>(cells[row]) * n_states + codes[row]] += multiplicities[row];
    }
  } else if (n_cells <= kFewCells) {
    if (counts_.size() < 4 * n_cells) counts_.resize(4 * n_cells);
    tally_few(cells, codes.data(), n_rows, n_states, n_cells, counts_.data());
  } else {
    counts_.assign(n_cells, 0);
    for (std::size_t row = 0; row < n_rows; ++row) {
      ++counts_[static_cast<std::size_t>(cells[row]) * n_states + codes[row]];
    }
  }
  return n_cells;
}

}  // namespace credenet
