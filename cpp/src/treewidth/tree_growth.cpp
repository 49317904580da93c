#include "credenet/treewidth/tree_growth.hpp"

#include <algorithm>
#include <numeric>

namespace credenet {

TreeGrowth::TreeGrowth(const OrderLists& lists, std::size_t tree_width)
    : lists_(lists), tree_width_(tree_width) {}

void TreeGrowth::begin() {
  const std::size_t n = lists_.n_variables();
  tree_.order.clear();
  tree_.cliques.assign(n, {});
  tree_.families.resize(n);
  hosts_.assign(n, -1);
  waiting_.resize(n);
  std::iota(waiting_.begin(), waiting_.end(), 0);
  places_.assign(n, -1);
  in_bag_.assign(n, 0);
  for (std::size_t v = 0; v < n; ++v) {
    const std::int32_t size = lists_.size(v);
    const bool has_empty = size > 0 && lists_.parents(v, size - 1).empty();
    tree_.families[v] = has_empty ? size - 1 : size;
  }
}

GrownTree TreeGrowth::grow(GrowthRule rule, Random& random) {
  begin();
  if (rule == GrowthRule::kRandomOrder) {
    for (std::size_t at = waiting_.size(); at > 1; --at) {
      std::swap(waiting_[at - 1], waiting_[random.below(at)]);
    }
  }
  finish(rule, random);
  return tree_;
}

GrownTree TreeGrowth::regrow(const GrownTree& tree, Random& random) {
  const std::size_t n = lists_.n_variables();
  if (n <= tree_width_ + 1) return tree;
  begin();
  std::vector<std::uint8_t> is_cut(n, 0);
  const std::size_t cut = tree_width_ + 1 + random.below(n - tree_width_ - 1);
  waiting_.clear();
  for (std::size_t at = 0; at < n; ++at) {
    const std::int32_t variable = tree.order[at];
    const auto v = static_cast<std::size_t>(variable);
    const auto gone = [&](std::int32_t other) {
      return is_cut[static_cast<std::size_t>(other)] != 0;
    };
    if (at == cut || std::ranges::any_of(tree.cliques[v], gone)) {
      is_cut[v] = 1;
      waiting_.push_back(variable);
      continue;
    }
    tree_.cliques[v] = tree.cliques[v];
    places_[v] = static_cast<std::int32_t>(tree_.order.size());
    tree_.order.push_back(variable);
  }
  for (const std::int32_t variable : tree_.order) find_families(static_cast<std::size_t>(variable));
  for (const std::int32_t variable : tree_.order) {
    tree_.families[static_cast<std::size_t>(variable)] =
        tree.families[static_cast<std::size_t>(variable)];
  }
  finish(GrowthRule::kSmallestLossFirst, random);
  return tree_;
}

void TreeGrowth::finish(GrowthRule rule, Random& random) {
  while (!waiting_.empty()) {
    const std::size_t at = next_to_join(rule, random);
    const auto variable = static_cast<std::size_t>(waiting_[at]);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(at));
    join(variable, random);
  }
}

double TreeGrowth::score(const GrownTree& tree) const {
  double sum = 0;
  for (std::size_t v = 0; v < tree.families.size(); ++v) sum += lists_.score(v, tree.families[v]);
  return sum;
}

// The loss against the best family as a share of the largest loss; more than 1 without a family.
double TreeGrowth::loss(std::size_t variable) const {
  const std::int32_t size = lists_.size(variable);
  const std::int32_t family = tree_.families[variable];
  if (family == size) return 2;
  const double range = lists_.score(variable, 0) - lists_.score(variable, size - 1);
  if (range <= 0) return 0;
  return (lists_.score(variable, 0) - lists_.score(variable, family)) / range;
}

std::size_t TreeGrowth::next_to_join(GrowthRule rule, Random& random) {
  const std::size_t n_placed = tree_.order.size();
  if (rule == GrowthRule::kRandomOrder) {
    for (std::size_t at = waiting_.size(); at-- > 0;) {
      const auto v = static_cast<std::size_t>(waiting_[at]);
      if (tree_.families[v] < lists_.size(v)) return at;
    }
    return waiting_.size() - 1;
  }
  if (n_placed == 0) return random.below(waiting_.size());
  if (n_placed <= tree_width_) {  // The first bag gets variables that may be neighbours.
    std::vector<std::size_t> near;
    for (std::size_t at = 0; at < waiting_.size(); ++at) {
      const auto neighbours = lists_.neighbours(static_cast<std::size_t>(waiting_[at]));
      const auto is_neighbour = [&](std::int32_t member) {
        return std::ranges::binary_search(neighbours, member);
      };
      if (std::ranges::any_of(tree_.order, is_neighbour)) near.push_back(at);
    }
    if (!near.empty()) return near[random.below(near.size())];
  }
  constexpr double kNoise = 0.3;  // Noise that makes trees differ.
  std::size_t best = 0;
  double least = 0;
  for (std::size_t at = 0; at < waiting_.size(); ++at) {
    const auto v = static_cast<std::size_t>(waiting_[at]);
    const double found = loss(v) * (1 + kNoise * random.uniform());
    if (at > 0 && found >= least) continue;
    best = at;
    least = found;
  }
  return best;
}

// The bag of a variable: it and its clique, or all of the first variables.
std::vector<std::int32_t> TreeGrowth::bag_of(std::int32_t variable) const {
  const auto place = static_cast<std::size_t>(places_[static_cast<std::size_t>(variable)]);
  const std::size_t last_of_first = std::min(tree_.order.size() - 1, tree_width_);
  if (place < last_of_first) variable = tree_.order[last_of_first];
  std::vector<std::int32_t> bag = tree_.cliques[static_cast<std::size_t>(variable)];
  bag.insert(std::ranges::lower_bound(bag, variable), variable);
  return bag;
}

void TreeGrowth::join(std::size_t variable, Random& random) {
  if (!tree_.order.empty()) {
    std::int32_t host = hosts_[variable];
    if (host < 0) host = tree_.order[random.below(tree_.order.size())];
    std::vector<std::int32_t> clique = bag_of(host);
    std::span<const std::int32_t> parents;
    if (tree_.families[variable] < lists_.size(variable)) {
      parents = lists_.parents(variable, tree_.families[variable]);
    }
    while (clique.size() > tree_width_) {
      const std::size_t at = random.below(clique.size());
      if (std::ranges::find(parents, clique[at]) != parents.end()) continue;
      clique.erase(clique.begin() + static_cast<std::ptrdiff_t>(at));
    }
    tree_.cliques[variable] = std::move(clique);
  }
  places_[variable] = static_cast<std::int32_t>(tree_.order.size());
  tree_.order.push_back(static_cast<std::int32_t>(variable));
  find_families(variable);
}

// Finds better families of waiting variables in the bag of one that has joined.
void TreeGrowth::find_families(std::size_t joined) {
  const std::vector<std::int32_t>& clique = tree_.cliques[joined];
  const auto mark = [&](std::uint8_t value) {
    for (const std::int32_t member : clique) in_bag_[static_cast<std::size_t>(member)] = value;
    in_bag_[joined] = value;
  };
  const auto fits = [&](std::span<const std::int32_t> parents) {
    return parents.size() <= tree_width_ && std::ranges::all_of(parents, [&](std::int32_t parent) {
             return in_bag_[static_cast<std::size_t>(parent)] != 0;
           });
  };
  mark(1);
  for (const OrderLists::Child& child : lists_.children(joined)) {
    const auto y = static_cast<std::size_t>(child.variable);
    if (places_[y] >= 0) continue;
    for (const std::int32_t use : lists_.uses(child)) {
      if (use >= tree_.families[y]) break;
      if (!fits(lists_.parents(y, use))) continue;
      tree_.families[y] = use;
      hosts_[y] = static_cast<std::int32_t>(joined);
      break;
    }
  }
  mark(0);
}

}  // namespace credenet
