#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/credible/choice_problem.hpp"
#include "credenet/util/bit.hpp"

namespace credenet {

// What families lose by themselves and by the rows while they are chosen one after the other, and
// what is left of each row's limit after that. Choices are given back in reverse order.
class ChoiceLosses {
 public:
  explicit ChoiceLosses(const ChoiceProblem& problem)
      : problem_(problem), left_(problem.left), costly_(problem.n_words) {
    for (std::size_t row = 0; row < left_.size(); ++row) {
      if (left_[row] < 0) continue;
      costly_[row / 64] |= bit(row % 64);
      first_ += problem.multipliers[row] * left_[row];
    }
  }

  // The loss by rows that are never used up.
  [[nodiscard]] double first() const { return first_; }
  // What is left of a row's limit if all members not yet chosen take the most.
  [[nodiscard]] double left(std::size_t row) const { return left_[row]; }

  // The smallest loss of a family by rows of which every saving costs; savings are whole numbers.
  [[nodiscard]] double extra(const Candidate& candidate) const {
    double loss = 0;
    for (std::size_t word = 0; word < problem_.n_words; ++word) {
      std::uint64_t rest = problem_.rows_of[candidate.first_word + word] & costly_[word];
      for (; rest != 0; rest &= rest - 1) {
        loss += problem_.multipliers[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
      }
    }
    return loss;
  }

  // Chooses a family. Returns the loss of that.
  double take(const Candidate& candidate) {
    double loss = candidate.loss;
    for (std::size_t at = candidate.first_saving; at < candidate.end_saving; ++at) {
      const Saving& saving = problem_.savings[at];
      double& left = left_[saving.row];
      trail_.push_back({saving.row, left});
      const double before = std::max(left, 0.0);
      left += saving.amount;
      loss += problem_.multipliers[saving.row] * (std::max(left, 0.0) - before);
      if (left >= 0) costly_[saving.row / 64] |= bit(saving.row % 64);
    }
    return loss;
  }

  // A mark of the choices so far, to which they can be given back.
  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  void give_back(std::size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) {
      const auto [row, left] = trail_.back();
      left_[row] = left;
      if (left < 0) costly_[row / 64] &= ~bit(row % 64);
    }
  }

 private:
  const ChoiceProblem& problem_;
  std::vector<double> left_;
  double first_ = 0;
  std::vector<std::uint64_t> costly_;  // Rows of which every saving costs, as bits.
  std::vector<Saving> trail_;  // Rows that a choice changed, and what was left of them before.
};

}  // namespace credenet
