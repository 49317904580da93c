#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// All families of the members of a component. The parents among them are bits: bit i stands for the
// i-th member. Families of a variable that differ only in parents outside the component are a
// group; in any network one can replace another. Groups of a variable, and families of a group, are
// in order, best first.
class FamilyGroups {
 public:
  struct Group {
    std::uint64_t parents;
    double score;       // Score of the best family.
    std::size_t begin;  // Start of its families.
    std::size_t end;
  };

  FamilyGroups(const FamilyLists& lists, std::span<const std::int32_t> members);

  [[nodiscard]] std::size_t n_variables() const { return starts_.size() - 1; }
  [[nodiscard]] std::span<const Group> groups(std::size_t variable) const {
    return std::span(groups_).subspan(starts_[variable], starts_[variable + 1] - starts_[variable]);
  }
  // The number of groups and of families of all variables.
  [[nodiscard]] std::size_t n_groups() const { return groups_.size(); }
  [[nodiscard]] std::size_t n_families() const { return scores_.size(); }
  [[nodiscard]] std::size_t n_families(std::size_t variable) const {
    const auto own = groups(variable);
    return own.empty() ? 0 : own.back().end - own.front().begin;
  }
  [[nodiscard]] std::size_t number(std::size_t variable, std::size_t k) const {
    return starts_[variable] + k;
  }

  // The score of the family at a place in the groups, and its position in its variable's list.
  [[nodiscard]] double score(std::size_t at) const { return scores_[at]; }
  [[nodiscard]] std::size_t position(std::size_t at) const { return positions_[at]; }

 private:
  std::vector<std::size_t> starts_{0};
  std::vector<Group> groups_;
  std::vector<double> scores_;
  std::vector<std::size_t> positions_;
};

}  // namespace credenet
