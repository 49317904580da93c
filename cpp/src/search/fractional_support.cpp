#include "credenet/search/fractional_support.hpp"

#include "credenet/search/component_lists.hpp"

namespace credenet {
namespace {

constexpr double kLeastMass = 1e-7;

}  // namespace

FractionalSupport::FractionalSupport(const FamilyLists& lists, std::span<const double> x)
    : of_child_(lists.n_variables()), of_parent_(lists.n_variables()) {
  std::vector<std::int64_t> starts{0};
  std::vector<double> scores;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> parents;
  std::vector<std::size_t> families;
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (x[f] < kLeastMass) continue;
      const auto several = lists.parents_of(f);
      families.push_back(f);
      scores.push_back(x[f]);
      parents.insert(parents.end(), several.begin(), several.end());
      offsets.push_back(static_cast<std::int64_t>(parents.size()));
    }
    starts.push_back(static_cast<std::int64_t>(families.size()));
  }
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> group(lists.n_variables(), kNone);
  for (auto& members : strong_components({starts, scores, offsets, parents})) {
    if (members.size() < 2) continue;
    for (const std::int32_t v : members) group[static_cast<std::size_t>(v)] = groups_.size();
    groups_.push_back(std::move(members));
  }
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    if (group[v] == kNone) continue;
    for (auto at = static_cast<std::size_t>(starts[v]);
         at < static_cast<std::size_t>(starts[v + 1]); ++at) {
      Used used{static_cast<std::int32_t>(v), scores[at], {}};
      const auto place = static_cast<std::int32_t>(used_.size());
      for (const std::int32_t parent : lists.parents_of(families[at])) {
        if (group[static_cast<std::size_t>(parent)] != group[v]) continue;
        used.parents.push_back(parent);
        of_parent_[static_cast<std::size_t>(parent)].push_back(place);
      }
      of_child_[v].push_back(place);
      used_.push_back(std::move(used));
    }
  }
}

}  // namespace credenet
