#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// The lists indexed for searches over orders: which variables may have a given one as a parent, and
// in which of their families. Families behind the empty set are left out, as no order needs them.
class OrderLists {
 public:
  explicit OrderLists(const FamilyLists& lists);

  // A variable that has another one among its candidate parents, and where its families with that
  // one are in the array of uses.
  struct Child {
    std::int32_t variable = 0;
    std::size_t first_use = 0;
    std::size_t last_use = 0;
  };

  [[nodiscard]] std::size_t n_variables() const { return sizes_.size(); }
  [[nodiscard]] std::int32_t size(std::size_t variable) const { return sizes_[variable]; }
  [[nodiscard]] std::span<const std::int32_t> parents(std::size_t variable, std::int32_t k) const {
    return lists_.parents_of(lists_.begin(variable) + static_cast<std::size_t>(k));
  }
  // The score of family k of a variable. Without any family, k == size, it is so low that no
  // network is worse.
  [[nodiscard]] double score(std::size_t variable, std::int32_t k) const {
    if (k == sizes_[variable]) return none_[variable];
    return lists_.scores[lists_.begin(variable) + static_cast<std::size_t>(k)];
  }
  // A gain up to this is none: it may come from rounding.
  [[nodiscard]] double tolerance() const { return tolerance_; }
  [[nodiscard]] std::span<const Child> children(std::size_t variable) const {
    return std::span(children_).subspan(child_starts_[variable],
                                        child_starts_[variable + 1] - child_starts_[variable]);
  }
  // The positions of a child's families in its list, ascending.
  [[nodiscard]] std::span<const std::int32_t> uses(const Child& child) const {
    return std::span(uses_).subspan(child.first_use, child.last_use - child.first_use);
  }
  // Candidate parents and children; ascending.
  [[nodiscard]] std::span<const std::int32_t> neighbours(std::size_t variable) const {
    return std::span(neighbours_)
        .subspan(neighbour_starts_[variable],
                 neighbour_starts_[variable + 1] - neighbour_starts_[variable]);
  }
  [[nodiscard]] std::size_t bytes() const;

 private:
  FamilyLists lists_;
  std::vector<std::int32_t> sizes_;
  std::vector<double> none_;
  double tolerance_ = 0;
  std::vector<std::size_t> child_starts_{0};
  std::vector<Child> children_;
  std::vector<std::int32_t> uses_;
  std::vector<std::size_t> neighbour_starts_{0};
  std::vector<std::int32_t> neighbours_;
};

}  // namespace credenet
