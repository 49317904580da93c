#include "credenet/counts/row_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "credenet/counts/row_counter.hpp"

namespace credenet {
namespace {

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
constexpr std::size_t kMergedRows = 8;  // Rows that a merged row must represent on average.

template <typename Target, typename Code>
std::vector<Target> renumbered(const Code* column, std::size_t n_rows,
                               std::span<const std::uint32_t> state_of) {
  std::vector<Target> codes(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::uint32_t state = state_of[column[row]];
    codes[row] = static_cast<Target>(state == kUnseen ? 0 : state);
  }
  return codes;
}

// Whether weights say how often rows occur, so that all counts are whole numbers of 32 bits.
bool are_counts(std::span<const double> weights, double total) {
  return total > 0 && total <= std::numeric_limits<std::uint32_t>::max() &&
         std::ranges::all_of(weights, [](double weight) { return weight == std::floor(weight); });
}

template <typename Code>
void keep_rows(std::vector<Code>& codes, std::span<const std::uint32_t> rows) {
  if (codes.empty()) return;
  for (std::size_t at = 0; at < rows.size(); ++at) codes[at] = codes[rows[at]];
  codes.resize(rows.size());
  codes.shrink_to_fit();
}

}  // namespace

template <typename Code>
RowTable::RowTable(const Code* codes, std::size_t n_rows, std::size_t n_variables,
                   std::span<const double> weights, std::size_t bitmap_bytes)
    : columns_(n_variables) {
  n_rows_ = n_rows;
  observed_.resize(n_variables);
  for (std::size_t variable = 0; variable < n_variables; ++variable) {
    const Code* column = codes + variable * n_rows;
    std::vector<std::uint32_t> state_of(std::size_t{1} << (8 * sizeof(Code)), kUnseen);
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (weights.empty() || weights[row] > 0) state_of[column[row]] = 0;
    }
    std::vector<std::uint16_t>& observed = observed_[variable];
    for (std::size_t code = 0; code < state_of.size(); ++code) {
      if (state_of[code] == kUnseen) continue;
      state_of[code] = static_cast<std::uint32_t>(observed.size());
      observed.push_back(static_cast<std::uint16_t>(code));
    }
    if (observed.empty()) observed.push_back(0);
    n_observed_.push_back(static_cast<std::uint32_t>(observed.size()));
    Column& target = columns_[variable];
    if (observed.size() <= 256) {
      target.narrow = renumbered<std::uint8_t>(column, n_rows, state_of);
    } else {
      target.wide = renumbered<std::uint16_t>(column, n_rows, state_of);
    }
  }
  if (weights.empty()) {
    total_ = static_cast<double>(n_rows);
    merge_equal_rows();
    if (multiplicities_.empty()) make_bitmaps(bitmap_bytes);
  } else {
    total_ = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (are_counts(weights, total_)) {
      keep_counted_rows(weights);
    } else {
      is_weighted_ = true;
      weights_.assign(weights.begin(), weights.end());
    }
  }
}

std::unique_ptr<BatchCounter> RowTable::counter() const {
  return std::make_unique<RowCounter>(*this);
}

// The first rows tell whether merging can pay. Rows are equal if their hashes are equal and a
// comparison confirms it.
void RowTable::merge_equal_rows() {
  if (n_rows_ < 64) return;
  const auto hashes_of = [&](std::size_t n_rows) {
    std::vector<std::uint64_t> hashes(n_rows, 0);
    for (std::size_t variable = 0; variable < columns_.size(); ++variable) {
      visit_column(variable, [&](const auto* codes) {
        for (std::size_t row = 0; row < n_rows; ++row) {
          hashes[row] = (std::rotl(hashes[row], 7) ^ codes[row]) * 0x9E3779B97F4A7C15ULL;
        }
      });
    }
    return hashes;
  };
  std::vector<std::uint64_t> sample = hashes_of(std::min<std::size_t>(n_rows_, 1 << 14));
  std::ranges::sort(sample);
  const auto n_distinct =
      static_cast<std::size_t>(std::unique(sample.begin(), sample.end()) - sample.begin());
  if (n_distinct * 2 > sample.size()) return;

  const std::vector<std::uint64_t> hashes = hashes_of(n_rows_);
  const auto equal = [&](std::size_t a, std::size_t b) {
    if (hashes[a] != hashes[b]) return false;
    return std::ranges::all_of(columns_, [&](const Column& column) {
      return column.wide.empty() ? column.narrow[a] == column.narrow[b]
                                 : column.wide[a] == column.wide[b];
    });
  };
  const std::size_t most = n_rows_ / kMergedRows;
  std::vector<std::uint32_t> slots(std::bit_ceil(most * 2 + 1), kUnseen);
  std::vector<std::uint32_t> firsts;
  std::vector<std::uint32_t> counts;
  for (std::size_t row = 0; row < n_rows_; ++row) {
    std::size_t slot = (hashes[row] ^ (hashes[row] >> 31)) & (slots.size() - 1);
    while (slots[slot] != kUnseen && !equal(firsts[slots[slot]], row)) {
      slot = (slot + 1) & (slots.size() - 1);
    }
    if (slots[slot] == kUnseen) {
      if (firsts.size() == most) return;
      slots[slot] = static_cast<std::uint32_t>(firsts.size());
      firsts.push_back(static_cast<std::uint32_t>(row));
      counts.push_back(0);
    }
    ++counts[slots[slot]];
  }
  keep_only(firsts);
  multiplicities_ = std::move(counts);
}

void RowTable::keep_counted_rows(std::span<const double> counts) {
  std::vector<std::uint32_t> kept;
  for (std::size_t row = 0; row < n_rows_; ++row) {
    if (counts[row] == 0) continue;
    kept.push_back(static_cast<std::uint32_t>(row));
    multiplicities_.push_back(static_cast<std::uint32_t>(counts[row]));
  }
  keep_only(kept);
}

void RowTable::keep_only(std::span<const std::uint32_t> rows) {
  for (Column& column : columns_) {
    keep_rows(column.narrow, rows);
    keep_rows(column.wide, rows);
  }
  n_rows_ = rows.size();
}

void RowTable::make_bitmaps(std::size_t bitmap_bytes) {
  std::vector<std::size_t> order(columns_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t at) { return n_observed(at); });
  for (const std::size_t variable : order) {
    Column& column = columns_[variable];
    const std::size_t n_states = n_observed(variable);
    const std::size_t bytes = n_states * n_lines() * sizeof(BitLine);
    if (n_states > kMostBitmapStates || bytes > bitmap_bytes) break;
    bitmap_bytes -= bytes;
    column.bitmaps.resize(n_states * n_lines());
    for (std::size_t row = 0; row < n_rows_; row += 64) {
      std::array<std::uint64_t, kMostBitmapStates> words{};
      const std::size_t n_bits = std::min<std::size_t>(64, n_rows_ - row);
      for (std::size_t bit = 0; bit < n_bits; ++bit) {
        words[column.narrow[row + bit]] |= std::uint64_t{1} << bit;
      }
      BitLine* line = column.bitmaps.data() + row / BitLine::kRows;
      for (std::size_t state = 0; state < n_states; ++state) {
        line[state * n_lines()].words[row % BitLine::kRows / 64] = words[state];
      }
    }
  }
}

template RowTable::RowTable(const std::uint8_t*, std::size_t, std::size_t, std::span<const double>,
                            std::size_t);
template RowTable::RowTable(const std::uint16_t*, std::size_t, std::size_t, std::span<const double>,
                            std::size_t);

}  // namespace credenet
