// Tests of X and Y given Z from the counts n_xyz (MATH: F(c; a) is the Dirichlet-multinomial of one
// table):
//
//   Natori   ln p(D | independent) - ln p(D | dependent), every cell with the same pseudo-count a:
//            sum over z of F(n_x.z; a) + F(n_.yz; a) - F(n_xyz; a)
//   Steck    BDeu(Y | Z) - BDeu(Y | Z, X), which is symmetric in X and Y
//   G²       2 sum n_xyz ln(n_xyz n_z / (n_xz n_yz)); mutual information is G² / 2N
//   χ²       sum (n_xyz - e)² / e with e = n_xz n_yz / n_z
//
// Both Bayes factors are sums over strata of f(n_x) and g(n_y) less h(n_xy) and k(n), functions
// ln Gamma(base + n) - ln Gamma(base) of counts. Strata without rows add nothing. G² is a small
// difference of sums of n ln n: for 10^7 rows these are near 10^8, and 10^-7 of it is rounding.
#include "credenet/independence/independence_test.hpp"

#include <algorithm>
#include <type_traits>

#include "credenet/util/chi_square.hpp"

namespace credenet {
namespace {

// Evidence this even is a tie, for instance if every stratum has one row; the answer is
// independence.
constexpr double kTie = 1e-9;

template <typename Count>
double sum_of(std::span<const Count> counts, const CountFunction& function) {
  double sum = 0;
  for (const Count count : counts) sum += function(count);
  return sum;
}

template <typename Count>
double n_occupied(const std::vector<Count>& counts) {
  return static_cast<double>(std::ranges::count_if(counts, [](Count count) { return count > 0; }));
}

}  // namespace

const CountFunction& RisingFunctions::operator()(double base) {
  const auto found = entries_.find(base);
  if (found == entries_.end()) {
    return entries_.emplace(base, Entry{CountFunction::log_rising(base, 0, unit_)})
        .first->second.function;
  }
  Entry& entry = found->second;
  if (++entry.n_uses == kOften) entry.function = CountFunction::log_rising(base, total_, unit_);
  return entry.function;
}

IndependenceTest::IndependenceTest(const TestSettings& settings,
                                   std::span<const std::int32_t> n_states, double total)
    : settings_(settings),
      n_states_(n_states.begin(), n_states.end()),
      total_(total),
      n_log_n_(CountFunction::n_log_n(total)),
      rising_(total, rising_unit(settings.prior)) {}

bool IndependenceTest::refuses(const Question& question) const {
  if (!(settings_.min_rows_per_cell > 0)) return false;
  const auto states = [&](Node variable) {
    return static_cast<double>(n_states_[static_cast<std::size_t>(variable)]);
  };
  // A variable with one state is independent of all others, which needs no rows.
  if (states(question.x) < 2 || states(question.y) < 2) return false;
  double cells = states(question.x) * states(question.y);
  for (const Node variable : question.given) cells *= states(variable);
  return total_ < settings_.min_rows_per_cell * cells;
}

void IndependenceTest::start(const Question& question) {
  refused_ = refuses(question);
  const auto states = [&](Node variable) {
    return static_cast<double>(n_states_[static_cast<std::size_t>(variable)]);
  };
  x_states_ = states(question.x);
  y_states_ = states(question.y);
  double strata = 1;
  for (const Node variable : question.given) strata *= states(variable);
  sum_ = 0;
  freedom_ = 0;
  const double cells = x_states_ * y_states_;
  switch (settings_.kind) {
    case TestKind::kNatori:
      of_cell_ = of_x_ = of_y_ = &rising_(settings_.prior);
      of_all_ = {&rising_(settings_.prior * x_states_), &rising_(settings_.prior * y_states_),
                 &rising_(settings_.prior * cells)};
      break;
    case TestKind::kSteck: {
      const double prior = settings_.prior / strata;
      of_cell_ = &rising_(prior / cells);
      of_x_ = &rising_(prior / x_states_);
      of_y_ = &rising_(prior / y_states_);
      of_all_ = {&rising_(prior), nullptr, nullptr};
      break;
    }
    case TestKind::kG2:
    case TestKind::kChiSquared:
      if (settings_.freedom == FreedomRule::kClassical) {
        freedom_ = (x_states_ - 1) * (y_states_ - 1) * strata;
      }
      break;
    case TestKind::kMutualInformation:
      break;
  }
}

template <typename Count>
IndependenceTest::Sums<Count>& IndependenceTest::sums() {
  if constexpr (std::is_same_v<Count, double>) {
    return weighted_sums_;
  } else {
    return sums_;
  }
}

template <typename Count>
void IndependenceTest::add(std::span<const Count> table, std::size_t n_x, std::size_t n_y) {
  auto& [of_x, of_y, all] = sums<Count>();
  of_x.assign(n_x, Count{0});
  of_y.assign(n_y, Count{0});
  all = 0;
  for (std::size_t x = 0; x < n_x; ++x) {
    for (std::size_t y = 0; y < n_y; ++y) {
      const Count count = table[x * n_y + y];
      of_x[x] += count;
      of_y[y] += count;
    }
    all += of_x[x];
  }
  const auto margins = [&of_x = of_x, &of_y = of_y](const CountFunction& x_function,
                                                    const CountFunction& y_function) {
    return sum_of<Count>(of_x, x_function) + sum_of<Count>(of_y, y_function);
  };
  switch (settings_.kind) {
    case TestKind::kNatori:
    case TestKind::kSteck:
      sum_ += margins(*of_x_, *of_y_) - sum_of(table, *of_cell_) - (*of_all_[0])(all);
      if (settings_.kind == TestKind::kNatori) sum_ += (*of_all_[2])(all) - (*of_all_[1])(all);
      return;
    case TestKind::kG2:
    case TestKind::kMutualInformation:
      sum_ += sum_of(table, n_log_n_) + n_log_n_(all) - margins(n_log_n_, n_log_n_);
      break;
    case TestKind::kChiSquared:
      for (std::size_t x = 0; x < n_x; ++x) {
        for (std::size_t y = 0; y < n_y; ++y) {
          if (!(of_x[x] > 0 && of_y[y] > 0)) continue;
          const double expected = static_cast<double>(of_x[x]) *
                                  (static_cast<double>(of_y[y]) / static_cast<double>(all));
          const double excess = static_cast<double>(table[x * n_y + y]) - expected;
          sum_ += excess * (excess / expected);
        }
      }
      break;
  }
  if (settings_.freedom == FreedomRule::kObserved) {
    freedom_ += (x_states_ - 1) * (y_states_ - 1);
  } else if (settings_.freedom == FreedomRule::kAdjusted) {
    freedom_ += (n_occupied(of_x) - 1) * (n_occupied(of_y) - 1);
  }
}

Evidence IndependenceTest::finish() {
  double statistic = sum_;
  if (settings_.kind == TestKind::kG2) statistic = std::max(2 * sum_, 0.0);
  if (settings_.kind == TestKind::kMutualInformation) {
    statistic = total_ > 0 ? std::max(sum_ / total_, 0.0) : 0.0;
  }
  const bool has_freedom =
      settings_.kind == TestKind::kG2 || settings_.kind == TestKind::kChiSquared;
  const double freedom = has_freedom ? freedom_ : 0;
  return {.statistic = statistic,
          .degrees_of_freedom = freedom,
          .answer = refused_ ? Answer{.refused = true} : answer_of(statistic, freedom)};
}

Answer IndependenceTest::answer_of(double statistic, double degrees_of_freedom) {
  const bool is_constant = x_states_ < 2 || y_states_ < 2;
  switch (settings_.kind) {
    case TestKind::kNatori:
    case TestKind::kSteck:
      return {.association = -statistic,
              .independent = is_constant || statistic > settings_.threshold - kTie};
    case TestKind::kMutualInformation:
      return {.association = statistic,
              .independent = is_constant || statistic < settings_.threshold};
    case TestKind::kG2:
    case TestKind::kChiSquared:
      return {.association = chi_square_score(statistic, degrees_of_freedom),
              .independent = degrees_of_freedom <= 0 || statistic <= critical(degrees_of_freedom)};
  }
  return {};
}

double IndependenceTest::critical(double degrees_of_freedom) {
  const auto found = critical_values_.find(degrees_of_freedom);
  if (found != critical_values_.end()) return found->second;
  const double value = chi_square_critical(settings_.threshold, degrees_of_freedom);
  critical_values_.emplace(degrees_of_freedom, value);
  return value;
}

template void IndependenceTest::add(std::span<const std::uint32_t>, std::size_t, std::size_t);
template void IndependenceTest::add(std::span<const double>, std::size_t, std::size_t);

}  // namespace credenet
