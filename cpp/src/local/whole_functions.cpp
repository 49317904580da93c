#include "credenet/local/whole_functions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "credenet/util/log_gamma.hpp"

namespace credenet {
namespace {

constexpr std::size_t kFirst = 16;           // Count from which the series is used.
constexpr std::size_t kMostEntries = 65536;  // Entries of a table at most.
constexpr std::size_t kFewEntries = 512;     // Entries of a rarely used table.
constexpr std::size_t kManyUses = 64;        // Uses from which on a function gets a long table.
constexpr std::size_t kMostBytes = std::size_t{1} << 27;  // Bytes of the tables of a score.
constexpr double kLeastBase = 1e-290;  // Smallest base, for which ln Gamma is finite.

// Sums are below 2048 for each row: every function here is below n (ln n + 710).
double units_per_nat(double total) {
  return std::ldexp(1.0, 51 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(total))));
}

std::int64_t rounded(double value) {
  return static_cast<std::int64_t>(value + (value < 0 ? -0.5 : 0.5));
}

}  // namespace

RisingSeries::RisingSeries(std::size_t most) : sums_(std::max(most, kFirst) + 1) {
  for (std::size_t n = kFirst; n + 1 < sums_.size(); ++n) {
    const auto j = static_cast<double>(n);
    double power = 1;
    for (std::size_t k = 1; k < 6; ++k) {
      power /= j;
      sums_[n + 1][k] = sums_[n][k] + power;
    }
    sums_[n + 1][0] = log_gamma(j + 1) - log_gamma(static_cast<double>(kFirst));
  }
}

RisingSeries::Function RisingSeries::function(double base) const {
  Function found{this, {}, {}};
  double sum = std::log(base);
  for (std::size_t n = 1; n < kFirst; ++n) {
    found.first[n] = sum;
    sum += std::log(static_cast<double>(n) + base);
  }
  found.first[0] = sum;  // Value for the count 16.
  found.coefficients[0] = 1;
  double power = -1;
  for (std::size_t k = 1; k < 6; ++k) {
    power *= -base;
    found.coefficients[k] = power / static_cast<double>(k);
  }
  return found;
}

double RisingSeries::Function::operator()(std::size_t count) const {
  if (count < kFirst) return count == 0 ? 0.0 : first[count];
  const std::array<double, 6>& sums = series->sums_[count];
  double value = first[0];
  for (std::size_t k = 0; k < 6; ++k) value += coefficients[k] * sums[k];
  return value;
}

WholeFunction::WholeFunction(CountFunction function, std::size_t most, double per_unit)
    : most_(most), per_unit_(per_unit), function_(std::move(function)) {
  extend(kMostEntries);
}

WholeFunction::WholeFunction(const RisingSeries::Function& function, std::size_t most,
                             double per_unit)
    : most_(most), per_unit_(per_unit), rising_(function) {
  extend(kFewEntries);
}

void WholeFunction::extend(std::size_t n_entries) {
  const std::size_t before = table_.size();
  table_.resize(std::max(before, std::min(n_entries, most_ + 1)));
  for (std::size_t count = before; count < table_.size(); ++count) {
    table_[count] = direct(static_cast<std::uint32_t>(count));
  }
}

void WholeFunction::note_use() {
  if (++n_uses_ == kManyUses) extend(kMostEntries);
}

std::int64_t WholeFunction::direct(std::uint32_t count) const {
  return rounded((rising_ ? (*rising_)(count) : (*function_)(count)) * per_unit_);
}

WholeFunctions::WholeFunctions(const ScoreSettings& settings, double total)
    : settings_(settings),
      total_(total),
      most_(static_cast<std::size_t>(std::max(total, 1.0))),
      per_unit_(units_per_nat(total)),
      unit_(is_shared() ? rising_unit(settings.ess) : 1.0),
      n_log_n_(CountFunction::n_log_n(total), most_, per_unit_) {
  const bool has_small_bases = is_shared() && unit_ == 1.0;
  if (has_small_bases && most_ < kMostEntries) series_.emplace(most_);
}

void WholeFunctions::forget() {
  if (n_entries_ * sizeof(std::int64_t) <= kMostBytes) return;
  rising_.clear();
  n_entries_ = 0;
}

const WholeFunction& WholeFunctions::log_rising(double base) {
  const double used = std::max(base, kLeastBase);
  std::unique_ptr<WholeFunction>& known = rising_[used];
  const std::size_t before = known ? known->table().size() : 0;
  if (!known && series_ && used <= RisingSeries::kMostBase) {
    known = std::make_unique<WholeFunction>(series_->function(used), most_, per_unit_);
  } else if (!known) {
    known = std::make_unique<WholeFunction>(CountFunction::log_rising(used, total_, unit_), most_,
                                            per_unit_);
  }
  known->note_use();
  n_entries_ += known->table().size() - before;
  return *known;
}

const WholeFunction& WholeFunctions::of_family(double n_cells) {
  if (settings_.abilities().has_likelihood) return n_log_n_;
  return log_rising(is_shared() ? settings_.ess / n_cells : settings_.abilities().pseudo_count);
}

const WholeFunction& WholeFunctions::of_parents(std::size_t child, double n_cells) {
  if (settings_.abilities().has_likelihood) return n_log_n_;
  if (is_shared()) return log_rising(settings_.ess / n_cells);
  return log_rising(settings_.n_states[child] * settings_.abilities().pseudo_count);
}

}  // namespace credenet
