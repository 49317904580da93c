#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/credible/family_choices.hpp"

namespace credenet {

// How much less of a row's limit a family uses than the most that a family of its variable uses.
struct Saving {
  std::uint32_t row = 0;
  double amount = 0;
};

struct Candidate {
  double loss = 0;
  std::uint64_t parents = 0;  // Parents among the members, as bits.
  std::int64_t ticks = 0;
  std::uint16_t position = 0;
  std::size_t first_saving = 0;
  std::size_t end_saving = 0;
  std::size_t first_word = 0;  // First word of its rows as bits.
};

// The families that may be chosen, and the rows whose slack costs.
struct ChoiceProblem {
  // One list for each member, cheap candidates first.
  std::vector<std::vector<Candidate>> candidates;
  std::vector<Saving> savings;
  std::vector<std::uint64_t> rows_of;  // The rows of each candidate as bits.
  std::size_t n_words = 0;
  std::vector<double> multipliers;
  std::vector<double> left;  // What is left of each row's limit if all members take the most.
};

[[nodiscard]] ChoiceProblem choice_problem(const FamilyRows& rows,
                                           std::span<const std::int32_t> numbers,
                                           std::span<const double> multipliers,
                                           std::span<const std::uint8_t> alive,
                                           std::span<const std::int32_t> members,
                                           const ChoiceNames& names, double budget);

}  // namespace credenet
