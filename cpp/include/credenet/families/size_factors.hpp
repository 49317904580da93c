#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace credenet {

// The log prior factors of parent sets by their number of parents, and how much further parents can
// raise them. Copies share one table: with thousands of variables under the same prior, a table for
// each would take gigabytes.
class SizeFactors {
 public:
  SizeFactors() : SizeFactors(std::vector<double>{}) {}
  SizeFactors(std::initializer_list<double> factors) : SizeFactors(std::vector<double>(factors)) {}
  explicit SizeFactors(std::vector<double> factors)
      : table_(std::make_shared<const Table>(table_of(std::move(factors)))) {}

  [[nodiscard]] std::size_t size() const { return table_->factors.size(); }
  [[nodiscard]] std::span<const double> values() const { return table_->factors; }
  [[nodiscard]] double operator[](std::size_t size) const { return table_->factors[size]; }

  // The most that any number of further parents can add; never negative, and infinite if no set of
  // this size is possible but a larger one is.
  [[nodiscard]] double later_rise(std::size_t size) const { return table_->later_rise[size]; }

  // The most that one more parent can add to a set of this size or larger; never negative.
  [[nodiscard]] double step_rise(std::size_t size) const { return table_->step_rise[size]; }

 private:
  struct Table {
    std::vector<double> factors;
    std::vector<double> later_rise;
    std::vector<double> step_rise;
  };

  static Table table_of(std::vector<double> given) {
    Table table{std::move(given), {}, {}};
    const std::vector<double>& factors = table.factors;
    table.later_rise.assign(factors.size(), 0.0);
    table.step_rise.assign(factors.size(), 0.0);
    // Highest factor of the larger sizes.
    double highest = -std::numeric_limits<double>::infinity();
    double steepest = 0;
    for (std::size_t size = factors.size(); size-- > 0;) {
      // The difference is not a number, so there is no rise, if neither this size nor a larger one
      // is possible.
      if (highest - factors[size] > 0) table.later_rise[size] = highest - factors[size];
      table.step_rise[size] = steepest;
      highest = std::max(highest, factors[size]);
      if (size > 0 && factors[size] - factors[size - 1] > steepest) {
        steepest = factors[size] - factors[size - 1];
      }
    }
    return table;
  }

  std::shared_ptr<const Table> table_;
};

}  // namespace credenet
