#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace credenet {

// The value of ln Gamma(base + count) - ln Gamma(base) - count ln(unit): for a whole count, the sum
// of ln((base + i) / unit) over 0 <= i < count. The logarithms of the two gamma functions are about
// base ln(base); they are not subtracted if the base is large. So the error is about 1e-16 times
// count ln((base + count) / unit) if the base is large, and else 1e-16 times the largest of ln
// Gamma(base), which is small then, ln Gamma(base + count) and count ln(unit). The base is positive
// and finite.
[[nodiscard]] double log_rising(double base, double count, double unit = 1);

// The unit for bases that are shares of a prior weight. Sums of log_rising over the cells of two
// tables of the same rows differ by the same for every unit. If the weight is large, all their
// terms have the large part count ln(weight) in common, which this unit leaves out.
[[nodiscard]] inline double rising_unit(double weight) {
  constexpr double kLarge = 1000;  // Weight above which the large part is left out.
  return weight > kLarge ? weight : 1.0;
}

// The regret ln C(n_states, n) of the multinomial model with n observations under normalised
// maximum likelihood. C(2, n) is the sum over k of the falling factorials n (n-1) … (n-k+1) / n^k.
// Its terms fall off like exp(-k^2 / 2n), so about 9 sqrt(n) of them give all digits; for large n
// there is a formula with all digits. Then C(K+2, n) = C(K+1, n) + (n / K) C(K, n), as a recurrence
// on ratios, which cannot overflow.
[[nodiscard]] double log_regret(double n_states, double n);

// Values of ln C(n_states, n) for one n and all n_states up to a growing limit.
class RegretTable {
 public:
  explicit RegretTable(double n) : n_(n) {}

  void extend(double n_states);
  // Values beyond the longest table are the expansion of Szpankowski and Weinberger. Its error
  // falls with n_states and is below 1e-6 long before that length.
  [[nodiscard]] double operator()(double n_states) const;

 private:
  double n_;
  double ratio_ = 1;                // Ratio C(K+1, n) / C(K, n) for the last K tabulated.
  std::vector<double> table_{0.0};  // Values for K = 1, 2, ….
};

// A function of a count, tabulated for small whole counts. Scores are sums of such functions over
// the cells of contingency tables.
class CountFunction {
 public:
  static CountFunction n_log_n(double total);  // The function n ln n.
  static CountFunction log_rising(double base, double total, double unit = 1);
  static CountFunction regret(double n_states, double total);  // The function ln C(n_states, n).

  [[nodiscard]] double operator()(double count) const {
    const auto whole = static_cast<std::size_t>(count);
    if (whole < table_.size() && static_cast<double>(whole) == count) return table_[whole];
    return direct(count);
  }
  template <std::unsigned_integral Count>
  [[nodiscard]] double operator()(Count count) const {
    return count < table_.size() ? table_[count] : direct(static_cast<double>(count));
  }

 private:
  enum class Kind : std::uint8_t { kNLogN, kLogRising, kRegret };

  CountFunction(Kind kind, double parameter, double total, double unit = 1);
  [[nodiscard]] double direct(double count) const;

  Kind kind_;
  double parameter_;
  double unit_;
  double offset_ = 0;    // Logarithm of Gamma(base), if the base is not large.
  double log_unit_ = 0;  // Logarithm of the unit, if the base is not large.
  std::vector<double> table_;
};

}  // namespace credenet
