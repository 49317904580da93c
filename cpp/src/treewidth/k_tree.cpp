#include "credenet/treewidth/k_tree.hpp"

#include <algorithm>
#include <cassert>

namespace credenet {

KTree::KTree(std::size_t n_variables, std::size_t k, std::span<const std::int32_t> root)
    : k_(k), places_(n_variables, -1) {
  assert(root.size() == k + 1 && k < n_variables);
  order_.reserve(n_variables);
  cliques_.reserve(n_variables * k);
  std::vector<std::int32_t> members(root.begin(), root.end());
  std::ranges::sort(members);
  for (std::size_t at = 0; at < members.size(); ++at) {
    insert(members[at], std::span(members).first(at));
  }
}

void KTree::insert(std::int32_t variable, std::span<const std::int32_t> clique) {
  assert(clique.size() == std::min(order_.size(), k_));
  assert(clique.empty() || joins(clique.front(), clique.subspan(1)));
  places_[static_cast<std::size_t>(variable)] = static_cast<std::int32_t>(order_.size());
  cliques_.insert(cliques_.end(), clique.begin(), clique.end());
  std::ranges::sort(cliques_.end() - static_cast<std::ptrdiff_t>(clique.size()), cliques_.end());
  order_.push_back(variable);
  cliques_.resize(order_.size() * k_);
}

bool KTree::joins(std::int32_t variable, std::span<const std::int32_t> others) const {
  const auto place = [&](std::int32_t v) { return places_[static_cast<std::size_t>(v)]; };
  std::int32_t last = variable;
  for (const std::int32_t other : others) {
    if (place(other) > place(last)) last = other;
  }
  const auto among = clique(last);
  const auto is_joined = [&](std::int32_t v) {
    return v == last || std::ranges::find(among, v) != among.end();
  };
  return is_joined(variable) && std::ranges::all_of(others, is_joined);
}

double KTree::information(const PairWeights& weights) const {
  double sum = 0;
  for (const std::int32_t variable : order_) {
    for (const std::int32_t other : clique(variable)) sum += weights(variable, other);
  }
  return sum;
}

TreeDecomposition KTree::decomposition() const {
  TreeDecomposition tree;
  for (std::size_t place = k_; place < order_.size(); ++place) {
    const std::int32_t variable = order_[place];
    const auto others = clique(variable);
    std::vector<std::int32_t>& bag = tree.bags.emplace_back(others.begin(), others.end());
    bag.insert(std::ranges::lower_bound(bag, variable), variable);
    // The bag of the last inserted member has the whole clique.
    std::int32_t above = 0;
    for (const std::int32_t other : others) {
      above =
          std::max(above, places_[static_cast<std::size_t>(other)] - static_cast<std::int32_t>(k_));
    }
    tree.parents.push_back(place == k_ ? -1 : above);
  }
  return tree;
}

}  // namespace credenet
