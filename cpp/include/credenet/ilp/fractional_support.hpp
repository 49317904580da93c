#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// The families that a solution of the linear program uses, without variables that are on no cycle
// of used families: no minimal violated cluster has them. Parents outside the child's strongly
// connected component are left out too.
class FractionalSupport {
 public:
  struct Used {
    std::int32_t child;
    double mass;
    std::vector<std::int32_t> parents;
  };

  FractionalSupport(const FamilyLists& lists, std::span<const double> x);

  // The strongly connected components of at least two variables.
  [[nodiscard]] const std::vector<std::vector<std::int32_t>>& groups() const { return groups_; }
  [[nodiscard]] const std::vector<Used>& used() const { return used_; }
  // Places in used() of the families of a variable, and of the families that have it as a parent.
  [[nodiscard]] std::span<const std::int32_t> families_of(std::int32_t variable) const {
    return of_child_[static_cast<std::size_t>(variable)];
  }
  [[nodiscard]] std::span<const std::int32_t> families_with(std::int32_t variable) const {
    return of_parent_[static_cast<std::size_t>(variable)];
  }
  [[nodiscard]] std::size_t n_variables() const { return of_child_.size(); }

 private:
  std::vector<std::vector<std::int32_t>> groups_;
  std::vector<Used> used_;
  std::vector<std::vector<std::int32_t>> of_child_;
  std::vector<std::vector<std::int32_t>> of_parent_;
};

}  // namespace credenet
