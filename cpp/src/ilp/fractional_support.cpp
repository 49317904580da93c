#include "credenet/ilp/fractional_support.hpp"

#include "credenet/lattice/component_lists.hpp"

namespace credenet {
namespace {

constexpr double kLeastSupport = 1e-7;  // Smallest value of a family that is used.

}  // namespace

FractionalSupport::FractionalSupport(const FamilyLists& lists, std::span<const double> x)
    : of_child_(lists.n_variables()), of_parent_(lists.n_variables()) {
  std::vector<std::size_t> families;
  for (std::size_t f = 0; f < lists.scores.size(); ++f) {
    if (x[f] >= kLeastSupport) families.push_back(f);
  }
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> group(lists.n_variables(), kNone);
  for (auto& members : strong_components(lists, families)) {
    if (members.size() < 2) continue;
    for (const std::int32_t v : members) group[static_cast<std::size_t>(v)] = groups_.size();
    groups_.push_back(std::move(members));
  }
  std::size_t v = 0;
  for (const std::size_t family : families) {
    while (family >= lists.end(v)) ++v;
    if (group[v] == kNone) continue;
    Used used{static_cast<std::int32_t>(v), x[family], {}};
    const auto place = static_cast<std::int32_t>(used_.size());
    for (const std::int32_t parent : lists.parents_of(family)) {
      if (group[static_cast<std::size_t>(parent)] != group[v]) continue;
      used.parents.push_back(parent);
      of_parent_[static_cast<std::size_t>(parent)].push_back(place);
    }
    of_child_[v].push_back(place);
    used_.push_back(std::move(used));
  }
}

}  // namespace credenet
