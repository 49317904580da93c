#include "credenet/treewidth/window_search.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "credenet/treewidth/bounded_dp.hpp"
#include "credenet/treewidth/bounded_tables.hpp"

namespace credenet {
namespace {

constexpr std::int32_t kOutside = -1;

using Neighbours = std::vector<std::vector<std::size_t>>;

Neighbours neighbours_of(std::span<const std::int32_t> parents) {
  Neighbours neighbours(parents.size());
  for (std::size_t at = 1; at < parents.size(); ++at) {
    const auto above = static_cast<std::size_t>(parents[at]);
    neighbours[at].push_back(above);
    neighbours[above].push_back(at);
  }
  return neighbours;
}

// Makes the bags a tree with the first one as its root, each after the one above.
TreeDecomposition rooted(std::vector<std::vector<std::int32_t>>& bags,
                         const Neighbours& neighbours) {
  TreeDecomposition result;
  // A bag, and the one it came from.
  std::vector<std::pair<std::size_t, std::size_t>> listed{{0, 0}};
  for (std::size_t at = 0; at < listed.size(); ++at) {
    const auto [bag, from] = listed[at];
    result.bags.push_back(std::move(bags[bag]));
    if (at == 0) result.parents.push_back(-1);
    for (const std::size_t next : neighbours[bag]) {
      if (at > 0 && next == from) continue;
      listed.emplace_back(next, bag);
      result.parents.push_back(static_cast<std::int32_t>(at));
    }
  }
  return result;
}

double score_in(const FamilyLists& lists, std::span<const std::int32_t> families,
                std::int32_t variable) {
  const auto v = static_cast<std::size_t>(variable);
  return lists.scores[lists.begin(v) + static_cast<std::size_t>(families[v])];
}

double score_of(const FamilyLists& lists, std::span<const std::int32_t> families) {
  double score = 0;
  for (std::size_t v = 0; v < families.size(); ++v) {
    score += score_in(lists, families, static_cast<std::int32_t>(v));
  }
  return score;
}

std::span<const std::int32_t> parents_in(const FamilyLists& lists, const BoundedResult& network,
                                         std::int32_t variable) {
  const auto v = static_cast<std::size_t>(variable);
  return lists.parents_of(lists.begin(v) + static_cast<std::size_t>(network.families[v]));
}

}  // namespace

WindowSearch::WindowSearch(const FamilyIndex& index, std::size_t tree_width, double max_steps)
    : index_(index),
      tree_width_(tree_width),
      window_size_(tree_width + 2),
      best_within_(index),
      places_(index.lists().n_variables(), kOutside) {
  if (tree_width + 1 > BestWithin::kMostMembers) {
    throw std::invalid_argument("tree_width must be less than " +
                                std::to_string(BestWithin::kMostMembers) +
                                " for a search in windows, got " + std::to_string(tree_width));
  }
  const std::size_t most = std::min(places_.size(), BoundedTables::kMostVariables);
  while (window_size_ < most && bounded_dp_steps(window_size_ + 1, tree_width) <= max_steps) {
    ++window_size_;
  }
}

// Chooses a bag and then neighbours as long as there is room for their members.
void WindowSearch::choose_window(const TreeDecomposition& decomposition, Random& random) {
  for (const std::int32_t member : members_) places_[static_cast<std::size_t>(member)] = kOutside;
  members_.clear();
  is_inside_.assign(decomposition.bags.size(), 0);
  const Neighbours neighbours = neighbours_of(decomposition.parents);
  std::vector<std::size_t> candidates{random.below(decomposition.bags.size())};
  while (!candidates.empty()) {
    const std::size_t drawn = random.below(candidates.size());
    const std::size_t at = std::exchange(candidates[drawn], candidates.back());
    candidates.pop_back();
    const auto& bag = decomposition.bags[at];
    const auto is_new = [&](std::int32_t member) {
      return places_[static_cast<std::size_t>(member)] == kOutside;
    };
    const auto n_new = static_cast<std::size_t>(std::ranges::count_if(bag, is_new));
    if (members_.size() + n_new > window_size_) continue;
    is_inside_[at] = 1;
    for (const std::int32_t member : bag) {
      if (!is_new(member)) continue;
      members_.push_back(member);
      places_[static_cast<std::size_t>(member)] = 0;
    }
    for (const std::size_t next : neighbours[at]) {
      if (is_inside_[next] == 0) candidates.push_back(next);
    }
  }
  // Members come in random order, so that one of several best answers comes at random.
  for (std::size_t at = members_.size(); at > 1; --at) {
    std::swap(members_[at - 1], members_[random.below(at)]);
  }
  for (std::size_t at = 0; at < members_.size(); ++at) {
    places_[static_cast<std::size_t>(members_[at])] = static_cast<std::int32_t>(at);
  }
}

// Whether a variable keeps its family, as this has parents outside the window.
bool WindowSearch::is_kept(const BoundedResult& network, std::int32_t variable) const {
  return std::ranges::any_of(
      parents_in(index_.lists(), network, variable),
      [&](std::int32_t parent) { return places_[static_cast<std::size_t>(parent)] == kOutside; });
}

// Lists the families of the window. A kept family counts nothing and has no parents here.
WindowSearch::Lists WindowSearch::window_lists(const BoundedResult& network) const {
  const auto n_sets = std::size_t{1} << members_.size();
  std::vector<std::uint64_t> keys(n_sets, 0);
  for (std::size_t set = 1; set < n_sets; ++set) {
    keys[set] = keys[set & (set - 1)] ^
                index_.key(members_[static_cast<std::size_t>(std::countr_zero(set))]);
  }
  Lists lists;
  std::vector<std::pair<std::int64_t, std::uint32_t>> found;  // A family and its parents.
  std::vector<std::int32_t> parents;
  for (std::size_t at = 0; at < members_.size(); ++at) {
    found.clear();
    const bool kept = is_kept(network, members_[at]);
    for (std::uint32_t set = 0; set < n_sets && !kept; ++set) {
      const auto size = static_cast<std::size_t>(std::popcount(set));
      if ((set >> at & 1) != 0 || size > tree_width_) continue;
      const std::int64_t family = index_.find(members_[at], members_, set, keys[set]);
      if (family >= 0) found.emplace_back(family, set);
    }
    std::ranges::sort(found);
    if (kept) found.emplace_back(-1, 0);
    for (const auto& [family, set] : found) {
      parents.clear();
      for (std::uint32_t left = set; left != 0; left &= left - 1) {
        parents.push_back(std::countr_zero(left));
      }
      lists.add_family(kept ? 0 : index_.lists().scores[static_cast<std::size_t>(family)], parents);
      const std::int64_t begin = index_.lists().starts[static_cast<std::size_t>(members_[at])];
      lists.positions.push_back(kept ? -1 : static_cast<std::int32_t>(family - begin));
    }
    lists.end_variable();
  }
  return lists;
}

// The variables that bags outside share with their neighbours in the window, as places.
std::vector<std::vector<std::int32_t>> WindowSearch::shared_members(
    const TreeDecomposition& decomposition) const {
  std::vector<std::vector<std::int32_t>> shared;
  for (std::size_t at = 1; at < decomposition.bags.size(); ++at) {
    const auto above = static_cast<std::size_t>(decomposition.parents[at]);
    if (is_inside_[at] == is_inside_[above]) continue;
    auto& members = shared.emplace_back();
    for (const std::int32_t member : decomposition.bags[is_inside_[at] != 0 ? above : at]) {
      const std::int32_t place = places_[static_cast<std::size_t>(member)];
      if (place != kOutside) members.push_back(place);
    }
  }
  return shared;
}

// The paths between variables of the window that stay: they end in a kept family and come from
// another variable of the window, with none of them between.
std::vector<std::pair<std::int32_t, std::int32_t>> WindowSearch::outside_paths(
    const BoundedResult& network) const {
  std::vector<std::pair<std::int32_t, std::int32_t>> paths;
  std::vector<std::uint8_t> is_seen(places_.size());
  for (std::size_t at = 0; at < members_.size(); ++at) {
    if (!is_kept(network, members_[at])) continue;
    std::ranges::fill(is_seen, 0);
    std::vector<std::int32_t> todo{members_[at]};
    while (!todo.empty()) {
      const std::int32_t variable = todo.back();
      todo.pop_back();
      for (const std::int32_t parent : parents_in(index_.lists(), network, variable)) {
        const auto p = static_cast<std::size_t>(parent);
        if (std::exchange(is_seen[p], 1) != 0) continue;
        if (places_[p] == kOutside) {
          todo.push_back(parent);
        } else {
          paths.emplace_back(places_[p], static_cast<std::int32_t>(at));
        }
      }
    }
  }
  return paths;
}

// Replaces the bags of the window. Bags outside hang on a new bag that holds what they share with
// the window.
TreeDecomposition WindowSearch::replace_window(const TreeDecomposition& decomposition,
                                               const TreeDecomposition& window) const {
  std::vector<std::vector<std::int32_t>> bags;
  for (const auto& bag : window.bags) {
    auto& members = bags.emplace_back();
    for (const std::int32_t place : bag) {
      members.push_back(members_[static_cast<std::size_t>(place)]);
    }
    std::ranges::sort(members);
  }
  Neighbours neighbours = neighbours_of(window.parents);
  std::vector<std::size_t> numbers(decomposition.bags.size());
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    if (is_inside_[at] != 0) continue;
    numbers[at] = bags.size();
    bags.push_back(decomposition.bags[at]);
  }
  neighbours.resize(bags.size());
  const auto connect = [&](std::size_t a, std::size_t b) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  };
  const auto holder = [&](const std::vector<std::int32_t>& bag) {
    const auto is_held = [&](std::int32_t member, std::size_t at) {
      return places_[static_cast<std::size_t>(member)] == kOutside ||
             std::ranges::binary_search(bags[at], member);
    };
    std::size_t at = 0;
    while (!std::ranges::all_of(bag, [&](std::int32_t member) { return is_held(member, at); })) {
      ++at;
    }
    return at;
  };
  for (std::size_t at = 1; at < numbers.size(); ++at) {
    const auto above = static_cast<std::size_t>(decomposition.parents[at]);
    if (is_inside_[at] == 0 && is_inside_[above] == 0) {
      connect(numbers[at], numbers[above]);
    } else if (is_inside_[at] == 0 || is_inside_[above] == 0) {
      const std::size_t outer = is_inside_[at] == 0 ? at : above;
      connect(numbers[outer], holder(decomposition.bags[outer]));
    }
  }
  return rooted(bags, neighbours);
}

// Finds the best families within the bags as they are.
bool WindowSearch::improve_families(BoundedResult& network, Control& control) {
  BoundedResult within = best_within_(network.decomposition, control);
  if (within.status != Status::kOptimal) return false;
  if (within.score > network.score) {
    network.families = std::move(within.families);
    network.score = within.score;
  }
  return true;
}

bool WindowSearch::improve(BoundedResult& network, Random& random, Control& control) {
  choose_window(network.decomposition, random);
  const Lists lists = window_lists(network);
  double current = 0;
  for (const std::int32_t member : members_) {
    if (!is_kept(network, member)) current += score_in(index_.lists(), network.families, member);
  }
  const BoundedDpOptions options{.tree_width = tree_width_,
                                 .cliques = shared_members(network.decomposition),
                                 .arcs = outside_paths(network),
                                 .at_least = current};
  const BoundedResult window = bounded_dp(lists.view(), options, {&rows_, 1}, control);
  if (window.status != Status::kOptimal) return false;
  for (std::size_t at = 0; at < members_.size(); ++at) {
    const auto family =
        static_cast<std::size_t>(lists.starts[at]) + static_cast<std::size_t>(window.families[at]);
    if (lists.positions[family] < 0) continue;
    network.families[static_cast<std::size_t>(members_[at])] = lists.positions[family];
  }
  network.decomposition = replace_window(network.decomposition, window.decomposition);
  const double before = network.score;
  network.score = score_of(index_.lists(), network.families);
  if (members_.size() == places_.size()) network.status = Status::kOptimal;
  if (network.score <= before + tolerance(before)) return true;
  return improve_families(network, control);
}

}  // namespace credenet
