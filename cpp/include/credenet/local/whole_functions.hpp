#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "credenet/scores/count_function.hpp"
#include "credenet/scores/score.hpp"

namespace credenet {

// The functions ln Gamma(base + n) - ln Gamma(base) for small bases, without a logarithm for each
// count. Such a function is ln base and the sum of ln(j + base) for 0 < j < n. For j >= 16, ln(1 +
// base/j) is its series in base/j <= 1/256, of which five terms give all digits. So the sum is a
// polynomial in the base whose coefficients serve every base.
class RisingSeries {
 public:
  static constexpr double kMostBase = 1.0 / 16;

  // Prepares counts up to the most.
  explicit RisingSeries(std::size_t most);

  // The function of one base.
  struct Function {
    const RisingSeries* series;
    std::array<double, 16> first;          // Values for counts below 16.
    std::array<double, 6> coefficients{};  // One for each column.

    [[nodiscard]] double operator()(std::size_t count) const;
  };
  [[nodiscard]] Function function(double base) const;

 private:
  // Sums over 16 <= j < n of ln j, 1/j, 1/j^2, … 1/j^5, for each count n.
  std::vector<std::array<double, 6>> sums_;
};

// A function of a count as a whole number of a small unit. Sums of such numbers have no rounding
// errors, so they do not depend on the order of the cells, and moves that are equally good for
// every data set have equal gains.
class WholeFunction {
 public:
  WholeFunction(CountFunction function, std::size_t most, double per_unit);
  WholeFunction(const RisingSeries::Function& function, std::size_t most, double per_unit);

  [[nodiscard]] std::int64_t operator()(std::uint32_t count) const {
    return count < table_.size() ? table_[count] : direct(count);
  }
  // The values for the counts 0, 1, … as far as they are tabulated.
  [[nodiscard]] std::span<const std::int64_t> table() const { return table_; }
  // A function that is used often gets a long table.
  void note_use();

 private:
  [[nodiscard]] std::int64_t direct(std::uint32_t count) const;
  void extend(std::size_t n_entries);

  std::size_t most_;  // Largest count.
  double per_unit_;
  std::size_t n_uses_ = 0;
  std::vector<std::int64_t> table_;
  std::optional<CountFunction> function_;  // The function is either this or rising_.
  std::optional<RisingSeries::Function> rising_;
};

// The functions that a score applies to the cells of a family and to those of its parents. The
// score of a family is the first sum less the second, and what does not depend on the counts.
class WholeFunctions {
 public:
  // The score must be such a difference (ScoreAbilities::sums_whole_functions).
  WholeFunctions(const ScoreSettings& settings, double total);

  // Each takes the product of the states of its set, as the score counts them. Not to be called by
  // several threads at a time. What it returns stays until forget.
  [[nodiscard]] const WholeFunction& of_family(double n_cells);
  [[nodiscard]] const WholeFunction& of_parents(std::size_t child, double n_cells);
  // Frees memory if there are many functions.
  void forget();

  [[nodiscard]] double value(std::int64_t sum) const {
    return static_cast<double>(sum) / per_unit_;
  }

 private:
  [[nodiscard]] const WholeFunction& log_rising(double base);
  // Whether the parent states share an equivalent sample size.
  [[nodiscard]] bool is_shared() const {
    return settings_.abilities().pseudo_counts == PseudoCounts::kSharedByStates;
  }

  ScoreSettings settings_;
  double total_;
  std::size_t most_;
  double per_unit_;
  double unit_;  // Unit of the rising factorials.
  WholeFunction n_log_n_;
  std::optional<RisingSeries> series_;
  std::map<double, std::unique_ptr<WholeFunction>> rising_;  // Rising factorials by base.
  std::size_t n_entries_ = 0;                                // Entries of all tables.
};

}  // namespace credenet
