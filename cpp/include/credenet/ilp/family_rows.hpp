#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// An inequality over families that every acyclic choice of one family per variable obeys. A kind
// k >= 1 is the k-cluster inequality of the members: at least k of them have fewer than k parents
// among them. A kind below 0 is the facet number -1 - kind of the polytope of four variables, here
// the members in order.
struct Cut {
  std::int32_t kind = 1;
  std::vector<std::int32_t> members;

  auto operator<=>(const Cut&) const = default;
};

// The sum of coefficients[k] * x[families[k]] is at most the limit; families ascend.
struct Row {
  std::vector<std::int32_t> families;
  std::vector<float> coefficients;  // small whole numbers
  double limit = 0;
};

// What no network of the living families exceeds, and by how much less every living family gives;
// the loss of a dead family is infinite.
struct RowBound {
  double bound = 0;
  std::vector<double> losses;
};

// Inequalities over the families of a component, as rows of a linear program. A row keeps its
// number for good; a row that was dropped takes no memory.
class FamilyRows {
 public:
  explicit FamilyRows(const FamilyLists& lists);

  [[nodiscard]] FamilyLists lists() const { return {starts_, scores_, offsets_, parents_}; }
  [[nodiscard]] std::size_t n_variables() const { return starts_.size() - 1; }
  [[nodiscard]] std::size_t n_families() const { return scores_.size(); }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const Row& row(std::size_t number) const { return rows_[number]; }

  // The row of a cut, which is written if there is none. The same cut with the members of a
  // cluster in another order is another row; ours ascend.
  std::int32_t add(const Cut& cut);
  // A row that has nothing to do with cycles.
  std::int32_t add(Row row);
  void drop(std::size_t number);

  // What the rows take, about.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // For any multipliers that are not negative: the sum over variables of the best living family,
  // each family's score less what the rows charge for it, plus the limits. Rounding goes up.
  [[nodiscard]] RowBound bound(std::span<const std::int32_t> numbers,
                               std::span<const double> multipliers,
                               std::span<const std::uint8_t> alive) const;

  // How much x exceeds the limit of each row; minus infinity for dropped ones.
  [[nodiscard]] std::vector<double> violations(std::span<const double> x) const;

 private:
  [[nodiscard]] Row write(const Cut& cut) const;

  std::vector<std::int64_t> starts_;
  std::vector<double> scores_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> parents_;
  std::vector<Row> rows_;
  std::map<Cut, std::int32_t> numbers_;
  std::vector<std::map<Cut, std::int32_t>::iterator> cuts_;
  std::size_t bytes_ = 0;
};

}  // namespace credenet
