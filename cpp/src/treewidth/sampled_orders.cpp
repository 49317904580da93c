#include "credenet/treewidth/sampled_orders.hpp"

#include <algorithm>
#include <numeric>

#include "credenet/families/owned_lists.hpp"
#include "credenet/local/insertion_search.hpp"

namespace credenet {
namespace {

// Places variables one after the other; the buffers serve many orders.
class OrderNetwork {
 public:
  OrderNetwork(const FamilyLists& lists, const FamilySelection& selection)
      : lists_(lists), selection_(selection) {}

  // Places the variables of an order. False if there is no network.
  bool place(std::span<const std::int32_t> order) {
    placed_.assign(order.size(), 0);
    families_.assign(order.size(), -1);
    waiting_.assign(order.begin(), order.end());
    while (!waiting_.empty()) {
      std::size_t n_left = 0;
      for (const std::int32_t variable : waiting_) {
        if (!place(static_cast<std::size_t>(variable))) waiting_[n_left++] = variable;
      }
      if (n_left == waiting_.size()) return false;
      waiting_.resize(n_left);
    }
    return true;
  }

  [[nodiscard]] const std::vector<std::int32_t>& families() const { return families_; }
  [[nodiscard]] double score() const {
    double sum = 0;
    for (std::size_t v = 0; v < families_.size(); ++v) {
      sum += lists_.scores[lists_.begin(v) + static_cast<std::size_t>(families_[v])];
    }
    return sum;
  }

 private:
  bool place(std::size_t variable) {
    for (const std::int32_t family : selection_.of(variable)) {
      const auto parents =
          lists_.parents_of(lists_.begin(variable) + static_cast<std::size_t>(family));
      if (std::ranges::all_of(parents, [&](std::int32_t parent) {
            return placed_[static_cast<std::size_t>(parent)] != 0;
          })) {
        families_[variable] = family;
        placed_[variable] = 1;
        return true;
      }
    }
    return false;
  }

  const FamilyLists& lists_;
  const FamilySelection& selection_;
  std::vector<std::uint8_t> placed_;
  std::vector<std::int32_t> families_;
  std::vector<std::int32_t> waiting_;
};

// The variables joined to each variable.
std::vector<std::vector<std::int32_t>> neighbours(const KTree& tree) {
  std::vector<std::vector<std::int32_t>> found(tree.n_variables());
  for (const std::int32_t variable : tree.order()) {
    for (const std::int32_t other : tree.clique(variable)) {
      found[static_cast<std::size_t>(variable)].push_back(other);
      found[static_cast<std::size_t>(other)].push_back(variable);
    }
  }
  return found;
}

// The selected families as lists of their own.
OwnedLists selected_lists(const FamilyLists& lists, const FamilySelection& selection) {
  OwnedLists selected;
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    for (const std::int32_t position : selection.of(v)) {
      const std::size_t family = lists.begin(v) + static_cast<std::size_t>(position);
      selected.add_family(lists.scores[family], lists.parents_of(family));
    }
    selected.end_variable();
  }
  return selected;
}

// Moves variables to better places in an order of the network until no move helps.
void climb(const FamilyLists& lists, const FamilySelection& selection, SampledNetwork& network,
           Random& random) {
  const OwnedLists selected = selected_lists(lists, selection);
  const OrderLists ordered(selected.view());
  InsertionSearch search(ordered);
  std::vector<std::int32_t> start(network.families.size());
  for (std::size_t v = 0; v < start.size(); ++v) {
    const auto positions = selection.of(v);
    start[v] = static_cast<std::int32_t>(std::ranges::find(positions, network.families[v]) -
                                         positions.begin());
  }
  search.set_network(start, random);
  search.climb();
  double score = 0;
  std::vector<std::int32_t> families(start.size());
  for (std::size_t v = 0; v < start.size(); ++v) {
    families[v] = selection.of(v)[static_cast<std::size_t>(search.families()[v])];
    score += lists.scores[lists.begin(v) + static_cast<std::size_t>(families[v])];
  }
  if (score <= network.score) return;
  network.families = std::move(families);
  network.score = score;
}

}  // namespace

SmallFamilies::SmallFamilies(const FamilyLists& lists, std::size_t k) : lists_(lists) {
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    const auto n_families = static_cast<std::int32_t>(lists.end(v) - lists.begin(v));
    for (std::int32_t position = 0; position < n_families; ++position) {
      const std::size_t size = parents(v, position).size();
      if (size <= k) all_.positions.push_back(position);
      if (size == 0) break;
    }
    all_.starts.push_back(all_.positions.size());
    const auto first_parent = [&](std::int32_t position) {
      const auto set = parents(v, position);
      return set.empty() ? -1 : set.front();
    };
    positions_.insert(positions_.end(), all_.of(v).begin(), all_.of(v).end());
    std::ranges::stable_sort(positions_.begin() + static_cast<std::ptrdiff_t>(all_.starts[v]),
                             positions_.end(), {}, first_parent);
    for (std::size_t at = all_.starts[v]; at < positions_.size(); ++at) {
      const std::int32_t parent = first_parent(positions_[at]);
      if (at == all_.starts[v] || groups_.back().parent != parent)
        groups_.push_back({parent, at, at});
      groups_.back().last = at + 1;
    }
    group_starts_.push_back(groups_.size());
  }
}

FamilySelection SmallFamilies::within(const KTree& tree) const {
  const auto joined = neighbours(tree);
  // Last variable that each was found to be joined to.
  std::vector<std::int32_t> joined_to(tree.n_variables(), -1);
  FamilySelection kept;
  for (std::size_t v = 0; v < tree.n_variables(); ++v) {
    const auto variable = static_cast<std::int32_t>(v);
    for (const std::int32_t other : joined[v])
      joined_to[static_cast<std::size_t>(other)] = variable;
    const auto is_joined = [&](std::int32_t other) {
      return joined_to[static_cast<std::size_t>(other)] == variable;
    };
    for (std::size_t at = group_starts_[v]; at < group_starts_[v + 1]; ++at) {
      const Group& group = groups_[at];
      if (group.parent >= 0 && !is_joined(group.parent)) continue;
      for (std::size_t family = group.first; family < group.last; ++family) {
        const auto set = parents(v, positions_[family]);
        if (std::ranges::all_of(set, is_joined) && tree.joins(variable, set)) {
          kept.positions.push_back(positions_[family]);
        }
      }
    }
    std::ranges::sort(kept.positions.begin() + static_cast<std::ptrdiff_t>(kept.starts.back()),
                      kept.positions.end());
    kept.starts.push_back(kept.positions.size());
  }
  return kept;
}

std::vector<std::int32_t> network_of_order(const FamilyLists& lists,
                                           const FamilySelection& selection,
                                           std::span<const std::int32_t> order) {
  OrderNetwork network(lists, selection);
  return network.place(order) ? network.families() : std::vector<std::int32_t>();
}

SampledNetwork sample_orders(const FamilyLists& lists, const FamilySelection& selection,
                             std::size_t n_orders, Random& random, Control& control) {
  SampledNetwork best;
  OrderNetwork network(lists, selection);
  std::vector<std::int32_t> order(lists.n_variables());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t drawn = 0; drawn < std::max<std::size_t>(n_orders, 1); ++drawn) {
    if (drawn > 0 && !control.poll({})) return best;
    for (std::size_t at = order.size(); at > 1; --at) {
      std::swap(order[at - 1], order[random.below(at)]);
    }
    if (!network.place(order)) break;
    const double score = network.score();
    if (score <= best.score) continue;
    best.score = score;
    best.families = network.families();
  }
  if (!best.families.empty()) climb(lists, selection, best, random);
  best.is_finished = true;
  return best;
}

}  // namespace credenet
