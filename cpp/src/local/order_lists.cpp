#include "credenet/local/order_lists.hpp"

#include <algorithm>

namespace credenet {

OrderLists::OrderLists(const FamilyLists& lists) : lists_(lists) {
  const std::size_t n = lists.n_variables();
  double range = 1;
  for (std::size_t v = 0; v < n; ++v) {
    std::size_t end = lists.begin(v);
    while (end < lists.end(v) && !lists.parents_of(end).empty()) ++end;
    if (end < lists.end(v)) ++end;
    sizes_.push_back(static_cast<std::int32_t>(end - lists.begin(v)));
    if (sizes_[v] > 0) range += score(v, 0) - score(v, sizes_[v] - 1);
  }
  for (std::size_t v = 0; v < n; ++v) {
    const double worst = sizes_[v] > 0 ? lists.scores[lists.begin(v) + sizes_[v] - 1] : 0.0;
    none_.push_back(worst - range);
  }
  tolerance_ = 1e-9 + 1e-14 * range;
  // Uses of all parents, by parent, then child, then position.
  std::vector<std::vector<Child>> children(n);
  std::vector<std::vector<std::int32_t>> uses(n);
  std::vector<std::vector<std::int32_t>> neighbours(n);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::int32_t k = 0; k < sizes_[v]; ++k) {
      for (const std::int32_t parent : this->parents(v, k)) {
        const auto p = static_cast<std::size_t>(parent);
        if (children[p].empty() || children[p].back().variable != static_cast<std::int32_t>(v)) {
          children[p].push_back({static_cast<std::int32_t>(v), uses[p].size(), uses[p].size()});
          neighbours[p].push_back(static_cast<std::int32_t>(v));
          neighbours[v].push_back(parent);
        }
        uses[p].push_back(k);
        ++children[p].back().last_use;
      }
    }
  }
  for (std::size_t v = 0; v < n; ++v) {
    for (Child child : children[v]) {
      child.first_use += uses_.size();
      child.last_use += uses_.size();
      children_.push_back(child);
    }
    uses_.insert(uses_.end(), uses[v].begin(), uses[v].end());
    child_starts_.push_back(children_.size());
    std::ranges::sort(neighbours[v]);
    const auto end = std::unique(neighbours[v].begin(), neighbours[v].end());
    neighbours_.insert(neighbours_.end(), neighbours[v].begin(), end);
    neighbour_starts_.push_back(neighbours_.size());
  }
}

std::size_t OrderLists::bytes() const {
  return sizes_.size() * (sizeof(std::int32_t) + sizeof(double) + 2 * sizeof(std::size_t)) +
         children_.size() * sizeof(Child) +
         (uses_.size() + neighbours_.size()) * sizeof(std::int32_t);
}

}  // namespace credenet
