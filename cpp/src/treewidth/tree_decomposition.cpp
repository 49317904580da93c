#include "credenet/treewidth/tree_decomposition.hpp"

#include <algorithm>

namespace credenet {

std::size_t TreeDecomposition::width() const {
  std::size_t largest = 1;
  for (const auto& bag : bags) largest = std::max(largest, bag.size());
  return largest - 1;
}

bool is_decomposition(std::size_t n_variables, const TreeDecomposition& decomposition) {
  const auto& bags = decomposition.bags;
  if (decomposition.parents.size() != bags.size()) return false;
  // A variable's bags are connected if all of them but one have a parent that holds it.
  std::vector<std::size_t> n_tops(n_variables, 0);
  for (std::size_t at = 0; at < bags.size(); ++at) {
    const std::int32_t above = decomposition.parents[at];
    if (above >= static_cast<std::int32_t>(at) || (above < 0 && at > 0)) return false;
    std::int32_t last = -1;
    for (const std::int32_t member : bags[at]) {
      if (member <= last || static_cast<std::size_t>(member) >= n_variables) return false;
      last = member;
      if (above < 0 || !std::ranges::binary_search(bags[static_cast<std::size_t>(above)], member)) {
        ++n_tops[static_cast<std::size_t>(member)];
      }
    }
  }
  return std::ranges::all_of(n_tops, [](std::size_t tops) { return tops == 1; });
}

bool is_within(const FamilyLists& lists, std::span<const std::int32_t> families,
               const TreeDecomposition& decomposition) {
  if (!is_decomposition(lists.n_variables(), decomposition)) return false;
  std::vector<std::uint8_t> has_family(lists.n_variables(), 0);
  for (const auto& bag : decomposition.bags) {
    for (const std::int32_t member : bag) {
      const auto v = static_cast<std::size_t>(member);
      const auto parents = lists.parents_of(lists.begin(v) + static_cast<std::size_t>(families[v]));
      if (std::ranges::includes(bag, parents)) has_family[v] = 1;
    }
  }
  return std::ranges::all_of(has_family, [](std::uint8_t has) { return has != 0; });
}

}  // namespace credenet
