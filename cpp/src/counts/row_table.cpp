#include "credenet/counts/row_table.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace credenet {
namespace {

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

}  // namespace

template <typename Code>
RowTable::RowTable(const Code* codes, std::size_t n_rows, std::size_t n_variables,
                   std::span<const double> weights)
    : n_rows_(n_rows), n_observed_(n_variables), codes_(n_rows * n_variables) {
  for (std::size_t variable = 0; variable < n_variables; ++variable) {
    const Code* column = codes + variable * n_rows;
    std::vector<std::uint32_t> state_of(std::size_t{1} << (8 * sizeof(Code)), kUnseen);
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (weights.empty() || weights[row] > 0) state_of[column[row]] = 0;
    }
    std::uint32_t next = 0;
    for (std::uint32_t& state : state_of) {
      if (state != kUnseen) state = next++;
    }
    n_observed_[variable] = std::max<std::uint32_t>(next, 1);
    std::uint16_t* target = codes_.data() + variable * n_rows;
    for (std::size_t row = 0; row < n_rows; ++row) {
      const std::uint32_t state = state_of[column[row]];
      target[row] = static_cast<std::uint16_t>(state == kUnseen ? 0 : state);
    }
  }
  if (weights.empty()) {
    total_ = static_cast<double>(n_rows);
    merge_equal_rows();
  } else {
    weights_.assign(weights.begin(), weights.end());
    total_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  }
}

// The first rows tell whether merging can pay; rows are equal if their hashes are and a comparison
// says so.
void RowTable::merge_equal_rows() {
  const std::size_t n_variables = n_observed_.size();
  std::vector<std::uint64_t> hashes(n_rows_, 0);
  for (std::size_t variable = 0; variable < n_variables; ++variable) {
    const auto codes = column(variable);
    for (std::size_t row = 0; row < n_rows_; ++row) {
      hashes[row] = (std::rotl(hashes[row], 7) ^ codes[row]) * 0x9E3779B97F4A7C15ULL;
    }
  }
  std::vector<std::uint64_t> sample(
      hashes.begin(), hashes.begin() + static_cast<std::ptrdiff_t>(
                                           std::min<std::size_t>(n_rows_, std::size_t{1} << 14)));
  std::ranges::sort(sample);
  const auto n_distinct =
      static_cast<std::size_t>(std::ranges::unique(sample).begin() - sample.begin());
  if (n_rows_ < 64 || n_distinct * 2 > sample.size()) return;

  std::vector<std::uint32_t> slots(std::bit_ceil(n_rows_ * 2), kUnseen);
  std::vector<std::uint32_t> firsts;
  std::vector<std::uint32_t> counts;
  for (std::size_t row = 0; row < n_rows_; ++row) {
    const auto equals = [&](std::uint32_t other) {
      if (hashes[other] != hashes[row]) return false;
      for (std::size_t variable = 0; variable < n_variables; ++variable) {
        if (codes_[variable * n_rows_ + other] != codes_[variable * n_rows_ + row]) return false;
      }
      return true;
    };
    std::size_t slot = (hashes[row] ^ (hashes[row] >> 31)) & (slots.size() - 1);
    while (slots[slot] != kUnseen && !equals(firsts[slots[slot]])) {
      slot = (slot + 1) & (slots.size() - 1);
    }
    if (slots[slot] == kUnseen) {
      slots[slot] = static_cast<std::uint32_t>(firsts.size());
      firsts.push_back(static_cast<std::uint32_t>(row));
      counts.push_back(0);
    }
    ++counts[slots[slot]];
  }
  if (firsts.size() * 4 > n_rows_) return;
  std::vector<std::uint16_t> merged(firsts.size() * n_variables);
  for (std::size_t variable = 0; variable < n_variables; ++variable) {
    for (std::size_t row = 0; row < firsts.size(); ++row) {
      merged[variable * firsts.size() + row] = codes_[variable * n_rows_ + firsts[row]];
    }
  }
  codes_ = std::move(merged);
  n_rows_ = firsts.size();
  multiplicities_ = std::move(counts);
}

template RowTable::RowTable(const std::uint8_t*, std::size_t, std::size_t, std::span<const double>);
template RowTable::RowTable(const std::uint16_t*, std::size_t, std::size_t,
                            std::span<const double>);

}  // namespace credenet
