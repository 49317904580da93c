#include "credenet/graphs/adjacency.hpp"

#include <algorithm>
#include <cassert>

namespace credenet {

Adjacency::Adjacency(std::size_t n_nodes, std::span<const Node> tails, std::span<const Node> heads)
    : offsets_(n_nodes + 1, 0), targets_(heads.size()) {
  assert(tails.size() == heads.size());
  for (const Node tail : tails) {
    assert(tail >= 0 && static_cast<std::size_t>(tail) < n_nodes);
    ++offsets_[tail + 1];
  }
  for (std::size_t node = 0; node < n_nodes; ++node) offsets_[node + 1] += offsets_[node];
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t edge = 0; edge < heads.size(); ++edge) {
    assert(heads[edge] >= 0 && static_cast<std::size_t>(heads[edge]) < n_nodes);
    targets_[next[tails[edge]]++] = heads[edge];
  }
  for (std::size_t node = 0; node < n_nodes; ++node) {
    const std::span list =
        std::span(targets_).subspan(offsets_[node], offsets_[node + 1] - offsets_[node]);
    if (!std::ranges::is_sorted(list)) std::ranges::sort(list);
  }
}

Adjacency Adjacency::symmetric(std::size_t n_nodes, std::span<const Edges> parts) {
  std::vector<Node> tails;
  std::vector<Node> heads;
  // Smaller neighbours come first if edges ascend, so the lists ascend too.
  for (const Edges& edges : parts) {
    tails.insert(tails.end(), edges.to.begin(), edges.to.end());
    tails.insert(tails.end(), edges.from.begin(), edges.from.end());
    heads.insert(heads.end(), edges.from.begin(), edges.from.end());
    heads.insert(heads.end(), edges.to.begin(), edges.to.end());
  }
  return {n_nodes, tails, heads};
}

std::size_t Adjacency::slot(Node node, Node other) const {
  const auto list = (*this)[node];
  const auto place = std::ranges::lower_bound(list, other);
  if (place == list.end() || *place != other) return kNoSlot;
  return offsets_[node] + static_cast<std::size_t>(place - list.begin());
}

}  // namespace credenet
