#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "credenet/independence/judge.hpp"
#include "credenet/scores/count_function.hpp"

namespace credenet {

enum class TestKind : std::uint8_t { kNatori, kSteck, kG2, kChiSquared, kMutualInformation };

// How the degrees of freedom of a stratum are counted: for every joint state of the conditioning
// variables, for those that occur, or from the states that occur in each.
enum class FreedomRule : std::uint8_t { kClassical, kObserved, kAdjusted };

struct TestSettings {
  TestKind kind = TestKind::kNatori;
  double prior = 0.5;  // Pseudo-count of a cell (Natori) or equivalent sample size (Steck).
  // Bayes factor tests: independent above this log Bayes factor. Mutual information: independent
  // below this. Other tests: their significance.
  double threshold = 0;
  FreedomRule freedom = FreedomRule::kAdjusted;
  // Rows for each cell of the table of x, y and the conditioning set below which a test is refused.
  double min_rows_per_cell = 0;
};

// The outcome of a test of one question.
struct Evidence {
  double statistic = 0;  // Log Bayes factor for independence, G², χ² or mutual information.
  double degrees_of_freedom = 0;  // Degrees of freedom of G² and χ².
  Answer answer;
};

// Functions log_rising for bases that are multiples, or fractions, of one number; functions that
// are asked for often get a table.
class RisingFunctions {
 public:
  RisingFunctions(double total, double unit) : total_(total), unit_(unit) {}

  [[nodiscard]] const CountFunction& operator()(double base);

 private:
  struct Entry {
    CountFunction function;
    std::uint32_t n_uses = 0;
  };
  static constexpr std::uint32_t kOften = 64;  // Uses from which on a function gets a table.

  double total_;
  double unit_;
  std::unordered_map<double, Entry> entries_;
};

// One test on one question after another: start, add the table of every stratum, finish. Keeps
// tables of functions and critical values, so each worker has its own.
class IndependenceTest {
 public:
  // Takes the numbers of states that count for the prior and for classical degrees of freedom.
  // total is the number, or weight, of all rows.
  IndependenceTest(const TestSettings& settings, std::span<const std::int32_t> n_states,
                   double total);

  // Whether there are too few rows for each cell to judge a question.
  [[nodiscard]] bool refuses(const Question& question) const;

  void start(const Question& question);

  // The table of one stratum, the states of y fastest.
  template <typename Count>
  void add(std::span<const Count> table, std::size_t n_x, std::size_t n_y);

  [[nodiscard]] Evidence finish();

 private:
  // Margins of a stratum.
  template <typename Count>
  struct Sums {
    std::vector<Count> x;
    std::vector<Count> y;
    Count all{};
  };

  template <typename Count>
  [[nodiscard]] Sums<Count>& sums();
  [[nodiscard]] double critical(double degrees_of_freedom);
  [[nodiscard]] Answer answer_of(double statistic, double degrees_of_freedom);

  TestSettings settings_;
  std::vector<std::int32_t> n_states_;
  double total_;
  CountFunction n_log_n_;
  RisingFunctions rising_;
  std::unordered_map<double, double> critical_values_;
  Sums<std::uint32_t> sums_;
  Sums<double> weighted_sums_;

  // Numbers of the current question.
  bool refused_ = false;
  double x_states_ = 1;
  double y_states_ = 1;
  double sum_ = 0;
  double freedom_ = 0;
  // The functions of Natori's test for a cell, for the margins of x and y, and for all rows of a
  // stratum: the first two less the third.
  const CountFunction* of_cell_ = nullptr;
  const CountFunction* of_x_ = nullptr;
  const CountFunction* of_y_ = nullptr;
  std::array<const CountFunction*, 3> of_all_{};
};

}  // namespace credenet
