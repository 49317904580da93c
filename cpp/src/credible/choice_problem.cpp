#include "credenet/credible/choice_problem.hpp"

#include <algorithm>
#include <limits>

#include "credenet/lattice/member_bits.hpp"
#include "credenet/util/bit.hpp"

namespace credenet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Adds what each wanted family saves of a row. Returns what is left of the limit if all variables
// take the most.
double add_savings(const FamilyLists& lists, const Row& row, std::uint32_t number,
                   std::span<const std::uint8_t> alive, const std::vector<bool>& is_wanted,
                   std::vector<double>& coefficients,
                   std::vector<std::vector<Saving>>& savings_of) {
  for (std::size_t at = 0; at < row.families.size(); ++at) {
    coefficients[static_cast<std::size_t>(row.families[at])] =
        static_cast<double>(row.coefficients[at]);
  }
  double left = row.limit;
  std::size_t next = 0;  // Next family of the row; the families ascend.
  for (std::size_t v = 0; v < lists.n_variables() && next < row.families.size(); ++v) {
    if (static_cast<std::size_t>(row.families[next]) >= lists.end(v)) continue;
    double most = -kInfinity;
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (alive[f] != 0) most = std::max(most, coefficients[f]);
    }
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (is_wanted[f] && coefficients[f] < most) {
        savings_of[f].push_back({number, most - coefficients[f]});
      }
      coefficients[f] = 0;
    }
    left -= most;
    while (next < row.families.size() &&
           static_cast<std::size_t>(row.families[next]) < lists.end(v)) {
      ++next;
    }
  }
  return left;
}

}  // namespace

ChoiceProblem choice_problem(const FamilyRows& rows, std::span<const std::int32_t> numbers,
                             std::span<const double> multipliers,
                             std::span<const std::uint8_t> alive,
                             std::span<const std::int32_t> members, const ChoiceNames& names,
                             double budget) {
  const FamilyLists lists = rows.lists();
  const RowBound bound = rows.bound(numbers, multipliers, alive);
  const MemberBits bits_of(rows.n_variables(), members);
  ChoiceProblem problem;
  std::vector<bool> is_wanted(rows.n_families());
  for (const std::int32_t member : members) {
    const auto v = static_cast<std::size_t>(member);
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      is_wanted[f] = alive[f] != 0 && bound.losses[f] <= budget;
    }
  }
  std::vector<std::vector<Saving>> savings_of(rows.n_families());
  std::vector<double> coefficients(rows.n_families());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (!(multipliers[k] > 0)) continue;
    const Row& row = rows.row(static_cast<std::size_t>(numbers[k]));
    const auto number = static_cast<std::uint32_t>(problem.left.size());
    problem.left.push_back(
        add_savings(lists, row, number, alive, is_wanted, coefficients, savings_of));
    problem.multipliers.push_back(multipliers[k]);
  }
  problem.n_words = (problem.left.size() + 63) / 64;
  for (const std::int32_t member : members) {
    const auto v = static_cast<std::size_t>(member);
    std::vector<Candidate>& own = problem.candidates.emplace_back();
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (!is_wanted[f]) continue;
      Candidate candidate;
      candidate.loss = bound.losses[f];
      candidate.parents = bits_of(lists.parents_of(f));
      candidate.ticks = names.ticks[f];
      candidate.position = names.positions[f];
      candidate.first_saving = problem.savings.size();
      problem.savings.insert(problem.savings.end(), savings_of[f].begin(), savings_of[f].end());
      candidate.end_saving = problem.savings.size();
      candidate.first_word = problem.rows_of.size();
      problem.rows_of.resize(problem.rows_of.size() + problem.n_words);
      for (const Saving& saving : savings_of[f]) {
        problem.rows_of[candidate.first_word + saving.row / 64] |= bit(saving.row % 64);
      }
      own.push_back(candidate);
    }
    std::ranges::stable_sort(own, {}, &Candidate::loss);
  }
  return problem;
}

}  // namespace credenet
