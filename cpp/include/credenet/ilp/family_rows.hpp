#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// The weight of a family that has all of the parents.
struct LocalTerm {
  std::int32_t child = 0;     // Place of the child among the members of a cut.
  std::uint32_t parents = 0;  // Parents as bits, by place among the members.
  std::int32_t weight = 0;    // Positive weight.

  auto operator<=>(const LocalTerm&) const = default;
};

// An inequality over families that every acyclic choice of one family per variable obeys. A kind
// k >= 1 is the k-cluster inequality of the members: at least k of them have fewer than k parents
// among them. A kind below 0 is the facet number -1 - kind of the polytope of four variables, here
// the members in order. Kind 0 is a local cut (local_cut.hpp), the only one with terms.
struct Cut {
  std::int32_t kind = 1;
  std::vector<std::int32_t> members;
  std::vector<LocalTerm> terms = {};

  auto operator<=>(const Cut&) const = default;
};

// The sum of coefficients[k] * x[families[k]] is at most the limit; families ascend.
struct Row {
  std::vector<std::int32_t> families;
  std::vector<float> coefficients;  // Coefficients of the families, small whole numbers.
  double limit = 0;
};

// A bound on the networks of the remaining families, and for each family its reduced cost: how much
// lower the bound is for networks with it, infinite for removed families.
struct RowBound {
  double bound = 0;
  std::vector<double> losses;
};

// Rows of a linear program in some of its columns: the terms of row k are from starts[k] on.
struct RowMatrix {
  std::vector<std::int32_t> starts;
  std::vector<std::int32_t> columns;
  std::vector<double> coefficients;
  std::vector<double> limits;
};

// Inequalities over the families of a component, as rows of a linear program. A row keeps its
// number for good; a row that was dropped takes no memory.
class FamilyRows {
 public:
  // The arrays of the lists must stay.
  explicit FamilyRows(const FamilyLists& lists) : lists_(lists) {}

  [[nodiscard]] const FamilyLists& lists() const { return lists_; }
  [[nodiscard]] std::size_t n_variables() const { return lists_.n_variables(); }
  [[nodiscard]] std::size_t n_families() const { return lists_.scores.size(); }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const Row& row(std::size_t number) const { return rows_[number]; }
  // The cut that a row was written for; none for other rows and dropped ones.
  [[nodiscard]] const Cut* cut(std::size_t number) const {
    return cuts_[number] == numbers_.end() ? nullptr : &cuts_[number]->first;
  }

  // The row of a cut, which is written if there is none. The same cut with the members of a
  // cluster in another order is another row; ours ascend.
  std::int32_t add(const Cut& cut);
  // Adds a row that is not written for a cut.
  std::int32_t add(Row row);
  void drop(std::size_t number);

  // The approximate bytes of the rows.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // The Lagrangian bound of any dual values that are not negative: the sum over variables of the
  // best remaining family, by its score less its coefficients times the dual values, plus the
  // limits times the dual values. Rounded upwards.
  [[nodiscard]] RowBound bound(std::span<const std::int32_t> numbers,
                               std::span<const double> multipliers,
                               std::span<const std::uint8_t> alive) const;

  // Some rows, with the column that each family has; -1 for families without one.
  [[nodiscard]] RowMatrix matrix(std::span<const std::int32_t> numbers,
                                 std::span<const std::int32_t> column_of) const;

  // How much x exceeds the limit of each row; minus infinity for dropped ones.
  [[nodiscard]] std::vector<double> violations(std::span<const double> x) const;

 private:
  [[nodiscard]] Row write(const Cut& cut) const;

  FamilyLists lists_;
  std::vector<Row> rows_;
  std::map<Cut, std::int32_t> numbers_;
  std::vector<std::map<Cut, std::int32_t>::iterator> cuts_;
  std::size_t bytes_ = 0;
};

}  // namespace credenet
