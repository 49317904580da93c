#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/lattice/member_bits.hpp"

namespace credenet {

// The candidate parent sets of the members of a component, as bits: bit i stands for the i-th
// member. Parents outside the component are always available, so of families that differ only in
// these the best is kept; a set that scores no better than one of its subsets is left out. Best
// first for each variable.
class ComponentLists {
 public:
  static constexpr std::size_t kMostVariables = MemberBits::kMostMembers;

  ComponentLists(const FamilyLists& lists, std::span<const std::int32_t> members);

  [[nodiscard]] std::size_t n_variables() const { return starts_.size() - 1; }
  [[nodiscard]] std::size_t n_families() const { return scores_.size(); }
  [[nodiscard]] std::span<const std::uint64_t> parents(std::size_t variable) const {
    return std::span(parents_).subspan(starts_[variable], size(variable));
  }
  [[nodiscard]] std::span<const double> scores(std::size_t variable) const {
    return std::span(scores_).subspan(starts_[variable], size(variable));
  }
  // The position of the k-th set of a variable in the lists that this was made from.
  [[nodiscard]] std::int64_t family(std::size_t variable, std::size_t k) const {
    return families_[starts_[variable] + k];
  }
  [[nodiscard]] std::size_t size(std::size_t variable) const {
    return starts_[variable + 1] - starts_[variable];
  }

  // Position in the list of the best set within those available, or size(variable) if there is
  // none.
  [[nodiscard]] std::size_t best(std::size_t variable, std::uint64_t available) const {
    const auto sets = parents(variable);
    std::size_t k = 0;
    while (k < sets.size() && (sets[k] & ~available) != 0) ++k;
    return k;
  }

  // The score of the network with these families, added up in the order of the variables, so that
  // it has the same digits whoever found the network.
  [[nodiscard]] double score(std::span<const std::int32_t> families) const {
    double sum = 0;
    for (std::size_t variable = 0; variable < n_variables(); ++variable) {
      sum += scores(variable)[static_cast<std::size_t>(families[variable])];
    }
    return sum;
  }

 private:
  std::vector<std::size_t> starts_{0};
  std::vector<std::uint64_t> parents_;
  std::vector<double> scores_;
  std::vector<std::int64_t> families_;
};

// The strongly connected components of candidate parents, each ascending; parents of a component's
// members are in the component or in an earlier one. A best network consists of best networks of
// the components, each with all earlier variables available.
[[nodiscard]] std::vector<std::vector<std::int32_t>> strong_components(const FamilyLists& lists);
// The strongly connected components by some of the families only, which ascend.
[[nodiscard]] std::vector<std::vector<std::int32_t>> strong_components(
    const FamilyLists& lists, std::span<const std::size_t> families);

}  // namespace credenet
