#include "credenet/ilp/local_cut.hpp"

#include <algorithm>
#include <cassert>

namespace credenet {

std::vector<std::int32_t> local_weights(const Cut& cut) {
  const std::size_t n_sets = std::size_t{1} << cut.members.size();
  assert(cut.members.size() <= kMostLocalMembers);
  std::vector<std::int32_t> weights(cut.members.size() * n_sets, 0);
  for (const LocalTerm& term : cut.terms) {
    auto& weight = weights[static_cast<std::size_t>(term.child) * n_sets + term.parents];
    weight = std::max(weight, term.weight);
  }
  for (std::size_t bit = 1; bit < n_sets; bit *= 2) {
    for (std::size_t at = 0; at < weights.size(); ++at) {
      if ((at & bit) != 0) weights[at] = std::max(weights[at], weights[at ^ bit]);
    }
  }
  return weights;
}

std::vector<std::int32_t> best_prefixes(std::span<const std::int32_t> weights,
                                        std::size_t n_members) {
  const std::size_t n_sets = std::size_t{1} << n_members;
  std::vector<std::int32_t> best(n_sets, 0);
  for (std::size_t set = 1; set < n_sets; ++set) {
    for (std::size_t v = 0; v < n_members; ++v) {
      if ((set >> v & 1) == 0) continue;
      const std::size_t before = set ^ (std::size_t{1} << v);
      best[set] = std::max(best[set], best[before] + weights[v * n_sets + before]);
    }
  }
  return best;
}

Row local_row(const FamilyLists& lists, const Cut& cut) {
  const std::size_t n_sets = std::size_t{1} << cut.members.size();
  const std::vector<std::int32_t> weights = local_weights(cut);
  std::vector<std::int32_t> place(lists.n_variables(), -1);
  for (std::size_t at = 0; at < cut.members.size(); ++at) {
    place[static_cast<std::size_t>(cut.members[at])] = static_cast<std::int32_t>(at);
  }
  Row row;
  row.limit = best_prefixes(weights, cut.members.size()).back();
  for (std::size_t at = 0; at < cut.members.size(); ++at) {
    const auto variable = static_cast<std::size_t>(cut.members[at]);
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      std::size_t inside = 0;
      for (const std::int32_t parent : lists.parents_of(family)) {
        const std::int32_t bit = place[static_cast<std::size_t>(parent)];
        if (bit >= 0) inside |= std::size_t{1} << bit;
      }
      const std::int32_t weight = weights[at * n_sets + inside];
      if (weight == 0) continue;
      row.families.push_back(static_cast<std::int32_t>(family));
      row.coefficients.push_back(static_cast<float>(weight));
    }
  }
  return row;
}

}  // namespace credenet
