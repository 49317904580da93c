#include "credenet/treewidth/best_within.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "credenet/treewidth/lane_splits.hpp"
#include "credenet/util/no_score.hpp"
#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

constexpr std::size_t kMostLanes = 120;      // Orders that are worked on together.
constexpr std::size_t kBlocksPerPoll = 256;  // Blocks of orders from one poll to the next.
using Lookup = std::array<std::uint32_t, std::size_t{1} << BestWithin::kMostMembers>;

// Finds the bits of the mask that the bits of each subset stand for.
void deposit(std::uint32_t mask, Lookup& table) {
  table[0] = 0;
  std::size_t size = 1;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1, size *= 2) {
    for (std::size_t set = 0; set < size; ++set) table[size + set] = table[set] | (rest & -rest);
  }
}

CREDENET_CLONES void add(const double* a, const double* b, double* sum, std::size_t n) {
  for (std::size_t at = 0; at < n; ++at) sum[at] = a[at] + b[at];
}

CREDENET_CLONES void take_max(const double* a, double* best, std::size_t n) {
  for (std::size_t at = 0; at < n; ++at) best[at] = a[at] > best[at] ? a[at] : best[at];
}

}  // namespace

// Drops bags that are within the bag above. What hangs on a dropped bag then hangs on that bag.
void BestWithin::prepare(const TreeDecomposition& decomposition) {
  const auto& bags = decomposition.bags;
  std::vector<std::size_t> node_of(bags.size());
  n_nodes_ = 0;
  for (std::size_t at = 0; at < bags.size(); ++at) {
    if (nodes_.size() == n_nodes_) nodes_.emplace_back();
    Node& node = nodes_[n_nodes_];
    node.members.clear();
    node.children.clear();
    node.mask = 0;
    node.n_shared = 0;
    if (at > 0) {
      node.above = node_of[static_cast<std::size_t>(decomposition.parents[at])];
      const auto& others = nodes_[node.above].members;
      for (std::size_t other = 0; other < others.size(); ++other) {
        if (!std::ranges::binary_search(bags[at], others[other])) continue;
        node.mask |= 1U << other;
        node.members.push_back(others[other]);
      }
      node.n_shared = node.members.size();
      if (node.n_shared == bags[at].size()) {
        node_of[at] = node.above;
        continue;
      }
    }
    for (const std::int32_t member : bags[at]) {
      const auto shared = node.members.begin() + static_cast<std::ptrdiff_t>(node.n_shared);
      if (std::find(node.members.begin(), shared, member) == shared) node.members.push_back(member);
    }
    if (at > 0) nodes_[node.above].children.push_back(n_nodes_);
    node_of[at] = n_nodes_++;
  }
}

// Finds the scores of the families in a bag. A family that lies in the bag above too is left to
// that one.
void BestWithin::find_scores(Node& node) const {
  const std::size_t m = node.members.size();
  const std::size_t n_sets = std::size_t{1} << m;
  std::array<std::uint64_t, std::size_t{1} << kMostMembers> keys;
  keys[0] = 0;
  for (std::size_t set = 1; set < n_sets; ++set) {
    const auto lowest = static_cast<std::size_t>(std::countr_zero(set));
    keys[set] = keys[set & (set - 1)] ^ index_.key(node.members[lowest]);
  }
  node.scores.assign(m * n_sets, kNoScore);
  for (std::size_t v = 0; v < m; ++v) {
    double* scores = node.scores.data() + v * n_sets;
    const std::size_t bit = std::size_t{1} << v;
    for (std::size_t set = 0; set < n_sets; ++set) {
      if ((set & bit) != 0 || ((set | bit) >> node.n_shared) == 0) continue;
      if (static_cast<std::size_t>(std::popcount(set)) > index_.most_parents()) continue;
      const std::int64_t family =
          index_.find(node.members[v], node.members, static_cast<std::uint32_t>(set), keys[set]);
      if (family < 0) continue;
      scores[set] = index_.lists().scores[static_cast<std::size_t>(family)];
    }
    for (std::size_t parent = 0; parent < m; ++parent) {
      const std::size_t other = std::size_t{1} << parent;
      for (std::size_t set = 0; set < n_sets; ++set) {
        if ((set & other) != 0) scores[set] = std::max(scores[set], scores[set ^ other]);
      }
    }
  }
}

BagOrders& BestWithin::orders(std::size_t size) {
  while (orders_.size() <= size) orders_.emplace_back(orders_.size());
  return orders_[size];
}

// Finds, for the orders of a block and each set of members, the score of their best families in
// this bag.
void BestWithin::fill_block(const Node& node, std::size_t first, std::size_t n_lanes) {
  const std::size_t m = node.members.size();
  const std::size_t n_sets = std::size_t{1} << m;
  const BagOrders& all = orders_[m];
  std::uint32_t able = 0;  // Members that have a family here.
  for (std::size_t v = 0; v < m; ++v) {
    const double* scores = node.scores.data() + v * n_sets;
    if (scores[(n_sets - 1) ^ (std::size_t{1} << v)] == kNoScore) continue;
    able |= 1U << v;
    const std::uint16_t* before = all.before(v) + first;
    double* local = local_.data() + v * kMostLanes;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) local[lane] = scores[before[lane]];
  }
  alive_.assign(n_sets, 0);
  alive_[0] = 1;
  std::fill_n(block_.begin(), n_lanes, 0.0);
  for (std::uint32_t set = 1; set < n_sets; ++set) {
    if ((set & ~able) != 0) continue;
    alive_[set] = 1;
    const auto top = static_cast<std::size_t>(std::bit_width(set)) - 1;
    add(block_.data() + (set ^ 1U << top) * kMostLanes, local_.data() + top * kMostLanes,
        block_.data() + set * kMostLanes, n_lanes);
  }
}

void BestWithin::add_child(const Node& node, const Node& child, bool is_last, std::size_t first,
                           std::size_t n_lanes) {
  const std::size_t m = node.members.size();
  const std::size_t n_orders = factorial(child.n_shared);
  const auto everything = static_cast<std::uint32_t>((std::size_t{1} << m) - 1);
  const std::uint32_t fresh = everything & ~((1U << node.n_shared) - 1);
  Lookup places;
  deposit(child.mask, places);
  const std::uint32_t* restriction = orders_[m].restriction(child.mask) + first;
  for (const std::uint32_t set : child.sets) {
    const double* message = child.message.data() + set * n_orders;
    double* row = spread_.data() + set * kMostLanes;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) row[lane] = message[restriction[lane]];
  }
  std::array<Split, std::size_t{1} << kMostMembers> splits;
  std::array<double, kMostLanes> best;
  // Sets come in falling order: the parts of a set are smaller numbers, so they are still
  // untouched.
  for (std::uint32_t set = everything + 1; set-- > 0;) {
    std::size_t n_splits = 0;
    if (!is_last || (set & fresh) == fresh) {
      for (const std::uint32_t part : child.sets) {
        const std::uint32_t below = places[part];
        if ((below & ~set) != 0 || alive_[set ^ below] == 0) continue;
        splits[n_splits++] = {(set ^ below) * kMostLanes, part * kMostLanes};
      }
    }
    alive_[set] = n_splits != 0;
    if (n_splits == 0) continue;
    best.fill(kNoScore);
    const std::array<std::size_t, 2> range{0, n_splits};
    take_splits(splits, range, block_.data(), spread_.data(), best.data(), n_lanes);
    std::copy_n(best.begin(), n_lanes, block_.begin() + set * kMostLanes);
  }
}

// Computes the message of a node. False if the control stopped it.
bool BestWithin::send(Node& node, const Progress& progress, Control& control) {
  find_scores(node);
  const std::size_t m = node.members.size();
  const std::size_t n_orders = orders(m).n_orders();
  const std::size_t n_shared_orders = factorial(node.n_shared);
  const std::size_t n_sets = std::size_t{1} << node.n_shared;
  const auto fresh = static_cast<std::uint32_t>(((std::size_t{1} << m) - 1) & ~(n_sets - 1));
  const std::size_t n_lanes = std::min(n_orders, kMostLanes);
  block_.resize(std::max(block_.size(), kMostLanes << m));
  spread_.resize(block_.size());
  local_.resize(std::max(local_.size(), kMostLanes * m));
  node.message.assign(n_sets * n_shared_orders, kNoScore);
  std::vector<std::uint8_t> found(n_sets, 0);
  for (std::size_t first = 0; first < n_orders; first += n_lanes) {
    if (first / n_lanes % kBlocksPerPoll == 0 && !control.poll(progress)) return false;
    fill_block(node, first, n_lanes);
    for (std::size_t at = 0; at < node.children.size(); ++at) {
      const bool is_last = at + 1 == node.children.size();
      add_child(node, nodes_[node.children[at]], is_last, first, n_lanes);
    }
    for (std::size_t set = 0; set < n_sets; ++set) {
      if (alive_[set | fresh] == 0) continue;
      found[set] = 1;
      const double* row = block_.data() + (set | fresh) * kMostLanes;
      double* message = node.message.data() + set * n_shared_orders;
      if (node.n_shared == 0) {
        const auto best = static_cast<std::size_t>(std::max_element(row, row + n_lanes) - row);
        if (row[best] > message[0]) {
          message[0] = row[best];
          best_order_ = first + best;
        }
        continue;
      }
      const std::size_t step = std::min(n_shared_orders, n_lanes);
      for (std::size_t lane = 0; lane < n_lanes; lane += step) {
        take_max(row + lane, message + (first + lane) % n_shared_orders, step);
      }
    }
  }
  node.sets.clear();
  for (std::uint32_t set = 0; set < n_sets; ++set) {
    if (found[set] != 0) node.sets.push_back(set);
  }
  return true;
}

// Fills the layers of one order of a bag: for each number of children used and each set of members
// the best score if they take their families in this bag or below those children. Returns that of
// the target with all children.
double BestWithin::fill_layers(const Node& node, std::size_t order, std::uint32_t target) {
  const std::size_t m = node.members.size();
  const std::size_t n_sets = std::size_t{1} << m;
  layers_.resize((node.children.size() + 1) << m);
  layers_[0] = 0;
  for (std::uint32_t set = 1; set < n_sets; ++set) {
    const auto v = static_cast<std::size_t>(std::countr_zero(set));
    layers_[set] = layers_[set & (set - 1)] + node.scores[v * n_sets + orders_[m].before(v)[order]];
  }
  Lookup places;
  for (std::size_t at = 0; at < node.children.size(); ++at) {
    const Node& child = nodes_[node.children[at]];
    deposit(child.mask, places);
    const std::size_t n_orders = factorial(child.n_shared);
    const double* message = child.message.data() + orders_[m].restriction(child.mask)[order];
    const double* from = layers_.data() + (at << m);
    double* to = layers_.data() + ((at + 1) << m);
    for (std::uint32_t set = 0; set < n_sets; ++set) {
      to[set] = kNoScore;
      if ((set & ~target) != 0) continue;
      for (const std::uint32_t part : child.sets) {
        const std::uint32_t below = places[part];
        if ((below & ~set) != 0) continue;
        to[set] = std::max(to[set], from[set ^ below] + message[part * n_orders]);
      }
    }
  }
  return layers_[(node.children.size() << m) + target];
}

std::int32_t BestWithin::best_family(const Node& node, std::size_t member,
                                     std::uint32_t before) const {
  const std::int32_t variable = node.members[member];
  const std::size_t begin = index_.lists().begin(static_cast<std::size_t>(variable));
  std::int64_t best = FamilyIndex::kAbsent;
  for (std::uint32_t set = before;; set = (set - 1) & before) {
    std::uint64_t key = 0;
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
      key ^= index_.key(node.members[static_cast<std::size_t>(std::countr_zero(rest))]);
    }
    const std::int64_t family = index_.find(variable, node.members, set, key);
    if (family >= 0 && (best < 0 || family < best)) best = family;
    if (set == 0) break;
  }
  return static_cast<std::int32_t>(best - static_cast<std::int64_t>(begin));
}

// Finds again how a bag reached its best score; the members that take their families here get them,
// the others become tasks of the children.
void BestWithin::place(const Task& task, std::vector<Task>& tasks,
                       std::vector<std::int32_t>& families) {
  const Node& node = nodes_[task.node];
  const std::size_t m = node.members.size();
  const auto everything = static_cast<std::uint32_t>((std::size_t{1} << m) - 1);
  std::uint32_t target = (everything & ~((1U << node.n_shared) - 1)) | task.to_place;
  const bool is_root = task.node == 0;
  const std::size_t step = is_root ? orders_[m].n_orders() : factorial(node.n_shared);
  double best = kNoScore;
  std::size_t best_order = 0;
  for (std::size_t order = task.order; order < orders_[m].n_orders(); order += step) {
    const double score = fill_layers(node, order, target);
    if (score > best) {
      best = score;
      best_order = order;
      std::swap(layers_, best_layers_);
    }
  }
  Lookup places;
  for (std::size_t at = node.children.size(); at-- > 0;) {
    const Node& child = nodes_[node.children[at]];
    deposit(child.mask, places);
    const std::size_t order = orders_[m].restriction(child.mask)[best_order];
    const double* from = best_layers_.data() + (at << m);
    const double score = from[target + (std::size_t{1} << m)];
    for (const std::uint32_t part : child.sets) {
      const std::uint32_t below = places[part];
      if ((below & ~target) != 0) continue;
      const double message = child.message[part * factorial(child.n_shared) + order];
      if (from[target ^ below] + message != score) continue;
      tasks.push_back({node.children[at], order, part});
      target ^= below;
      break;
    }
  }
  for (std::uint32_t rest = target; rest != 0; rest &= rest - 1) {
    const auto v = static_cast<std::size_t>(std::countr_zero(rest));
    families[static_cast<std::size_t>(node.members[v])] =
        best_family(node, v, orders_[m].before(v)[best_order]);
  }
}

BoundedResult BestWithin::operator()(const TreeDecomposition& decomposition, Control& control) {
  const FamilyLists& lists = index_.lists();
  const std::size_t n = lists.n_variables();
  if (!is_decomposition(n, decomposition)) {
    throw std::invalid_argument(
        "bags must be a tree decomposition: every variable in a bag, the bags of a variable "
        "connected, members ascending, the first bag without a parent and each other one with an "
        "earlier one");
  }
  if (decomposition.width() + 1 > kMostMembers) {
    throw std::invalid_argument("bags must have at most " + std::to_string(kMostMembers) +
                                " members, got one with " +
                                std::to_string(decomposition.width() + 1));
  }
  BoundedResult result;
  result.decomposition = decomposition;
  prepare(decomposition);
  for (std::size_t at = n_nodes_; at-- > 0;) {
    Node& node = nodes_[at];
    if (!send(node, {n_nodes_ - at - 1, n_nodes_, kNoScore, result.bound}, control)) return result;
    if (std::ranges::all_of(node.message, [](double value) { return value == kNoScore; })) {
      result.status = Status::kInfeasible;
      result.bound = kNoScore;
      return result;
    }
  }
  result.families.resize(n);
  std::vector<Task> tasks;
  if (n_nodes_ > 0) tasks.push_back({0, best_order_, 0});
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    place(task, tasks, result.families);
  }
  result.score = 0;
  for (std::size_t v = 0; v < n; ++v) {
    result.score += lists.scores[lists.begin(v) + static_cast<std::size_t>(result.families[v])];
  }
  result.bound = result.score;
  result.status = Status::kOptimal;
  return result;
}

BoundedResult best_within(const FamilyIndex& index, const TreeDecomposition& decomposition,
                          Control& control) {
  return BestWithin(index)(decomposition, control);
}

BoundedResult best_within(const FamilyLists& lists, const TreeDecomposition& decomposition,
                          Control& control) {
  return best_within(FamilyIndex(lists, decomposition.width()), decomposition, control);
}

}  // namespace credenet
