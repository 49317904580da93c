// The states of an annealing: from a grown tree or a network, and back to a network.
#include <algorithm>

#include "credenet/treewidth/bag_search.hpp"

namespace credenet {

void BagSearch::set_tree(const GrownTree& tree) {
  const std::size_t n = lists_.n_variables();
  State state;
  state.ranks.resize(n);
  // Bag of each variable; the first variables are in the first bag.
  std::vector<std::size_t> bag_of(n, 0);
  for (std::size_t at = 0; at < n; ++at) {
    const auto v = static_cast<std::size_t>(tree.order[at]);
    state.ranks[v] = static_cast<double>(at);
    if (at + 1 < size_) continue;
    const std::vector<std::int32_t>& clique = tree.cliques[v];
    state.members.insert(state.members.end(), clique.begin(), clique.end());
    state.members.push_back(tree.order[at]);
    const std::size_t bag = state.neighbours.size();
    state.neighbours.emplace_back();
    bag_of[v] = bag;
    if (bag == 0) continue;
    // The member that joined last has a bag with all of the clique.
    std::size_t above = 0;
    for (const std::int32_t member : clique) {
      above = std::max(above, bag_of[static_cast<std::size_t>(member)]);
    }
    state.neighbours[bag].push_back(static_cast<std::int32_t>(above));
    state.neighbours[above].push_back(static_cast<std::int32_t>(bag));
  }
  set_state(state);
}

void BagSearch::set_network(const BoundedResult& network) {
  std::vector<std::vector<std::int32_t>> bags = network.decomposition.bags;
  State state;
  state.neighbours.resize(bags.size());
  for (std::size_t bag = 1; bag < bags.size(); ++bag) {
    const std::int32_t above = network.decomposition.parents[bag];
    state.neighbours[bag].push_back(above);
    state.neighbours[static_cast<std::size_t>(above)].push_back(static_cast<std::int32_t>(bag));
  }
  bool has_small = true;
  while (has_small) {
    has_small = false;
    for (std::size_t bag = 0; bag < bags.size(); ++bag) {
      for (const std::int32_t neighbour : state.neighbours[bag]) {
        for (const std::int32_t member : bags[static_cast<std::size_t>(neighbour)]) {
          if (bags[bag].size() == size_) break;
          if (std::ranges::find(bags[bag], member) == bags[bag].end()) bags[bag].push_back(member);
        }
      }
      has_small |= bags[bag].size() < size_;
    }
  }
  for (const auto& bag : bags) state.members.insert(state.members.end(), bag.begin(), bag.end());
  // The order has each variable after its parents.
  const std::size_t n = lists_.n_variables();
  state.ranks.assign(n, -1);
  for (std::size_t n_ranked = 0; n_ranked < n;) {
    for (std::size_t v = 0; v < n; ++v) {
      const auto parents = lists_.parents(v, network.families[v]);
      const auto is_ranked = [&](std::int32_t p) {
        return state.ranks[static_cast<std::size_t>(p)] >= 0;
      };
      if (state.ranks[v] >= 0 || !std::ranges::all_of(parents, is_ranked)) continue;
      state.ranks[v] = static_cast<double>(n_ranked++);
    }
  }
  set_state(state);
}

BoundedResult BagSearch::network() const {
  BoundedResult result;
  TreeDecomposition& tree = result.decomposition;
  // Bags are listed from the first one on, each after its parent.
  std::vector<std::uint8_t> is_listed(best_.neighbours.size(), 0);
  std::vector<std::size_t> listed{0};
  tree.parents.push_back(-1);
  is_listed[0] = 1;
  for (std::size_t at = 0; at < listed.size(); ++at) {
    const std::span all = std::span(best_.members).subspan(listed[at] * size_, size_);
    tree.bags.emplace_back(all.begin(), all.end());
    std::ranges::sort(tree.bags.back());
    for (const std::int32_t neighbour : best_.neighbours[listed[at]]) {
      if (is_listed[static_cast<std::size_t>(neighbour)] != 0) continue;
      is_listed[static_cast<std::size_t>(neighbour)] = 1;
      tree.parents.push_back(static_cast<std::int32_t>(at));
      listed.push_back(static_cast<std::size_t>(neighbour));
    }
  }
  const FamilyLists& lists = index_.lists();
  std::vector<std::int64_t> best(lists_.n_variables(), FamilyIndex::kAbsent);
  const auto rank = [&](std::int32_t v) { return best_.ranks[static_cast<std::size_t>(v)]; };
  for (std::vector<std::int32_t> bag : tree.bags) {
    std::ranges::stable_sort(bag, {}, rank);
    for (std::size_t at = 0; at < bag.size(); ++at) {
      std::int64_t& family = best[static_cast<std::size_t>(bag[at])];
      for (std::uint32_t set = 0; set < std::uint32_t{1} << at; ++set) {
        std::uint64_t key = 0;
        for (std::size_t member = 0; member < at; ++member) {
          if ((set >> member & 1) != 0) key ^= index_.key(bag[member]);
        }
        const std::int64_t found = index_.find(bag[at], bag, set, key);
        if (found >= 0 && (family < 0 || found < family)) family = found;
      }
    }
  }
  if (std::ranges::find(best, FamilyIndex::kAbsent) != best.end()) return result;
  result.score = 0;
  for (std::size_t v = 0; v < best.size(); ++v) {
    result.score += lists.scores[static_cast<std::size_t>(best[v])];
    result.families.push_back(static_cast<std::int32_t>(best[v] - lists.starts[v]));
  }
  return result;
}

}  // namespace credenet
