#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credenet {

// Rows made ready for counting: states that never occur are dropped (a count of zero adds nothing
// to any score), and equal rows are merged where that leaves at most a quarter of them.
class RowTable {
 public:
  template <typename Code>
  RowTable(const Code* codes, std::size_t n_rows, std::size_t n_variables,
           std::span<const double> weights);

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_variables() const { return n_observed_.size(); }
  [[nodiscard]] std::uint32_t n_observed(std::size_t variable) const {
    return n_observed_[variable];
  }
  [[nodiscard]] std::span<const std::uint16_t> column(std::size_t variable) const {
    return {codes_.data() + variable * n_rows_, n_rows_};
  }
  // What each row counts for: nothing listed means 1 each; multiplicities are whole numbers.
  [[nodiscard]] std::span<const std::uint32_t> multiplicities() const { return multiplicities_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }
  [[nodiscard]] double total() const { return total_; }

 private:
  void merge_equal_rows();

  std::size_t n_rows_ = 0;
  double total_ = 0;
  std::vector<std::uint32_t> n_observed_;
  std::vector<std::uint16_t> codes_;  // column-major
  std::vector<std::uint32_t> multiplicities_;
  std::vector<double> weights_;
};

}  // namespace credenet
