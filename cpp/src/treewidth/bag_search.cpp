#include "credenet/treewidth/bag_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace credenet {
namespace {

template <typename Range>
bool contains(const Range& range, std::int32_t variable) {
  return std::find(range.begin(), range.end(), variable) != range.end();
}

std::size_t pick(std::span<const std::int32_t> range, Random& random) {
  return static_cast<std::size_t>(range[random.below(range.size())]);
}

}  // namespace

BagSearch::BagSearch(const OrderLists& lists, const FamilyIndex& index, std::size_t tree_width)
    : lists_(lists),
      index_(index),
      size_(std::min(tree_width + 1, lists.n_variables())),
      n_words_((lists.n_variables() + 63) / 64),
      candidates_(lists.n_variables() * n_words_, 0),
      is_touched_(lists.n_variables(), 0) {
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    none_.push_back(lists.score(v, lists.size(v)));
    for (const OrderLists::Child& child : lists.children(v)) {
      const auto y = static_cast<std::size_t>(child.variable);
      candidates_[y * n_words_ + v / 64] |= std::uint64_t{1} << (v % 64);
    }
  }
}

bool BagSearch::holds(std::size_t bag, std::int32_t variable) const {
  return contains(members(bag), variable);
}

void BagSearch::set_state(const State& state) {
  members_ = state.members;
  neighbours_ = state.neighbours;
  ranks_ = state.ranks;
  bags_.assign(lists_.n_variables(), {});
  scores_ = none_;
  values_.resize(members_.size());
  for (std::size_t bag = 0; bag < n_bags(); ++bag) {
    value_members(&members_[bag * size_], &values_[bag * size_]);
    for (std::size_t at = bag * size_; at < (bag + 1) * size_; ++at) {
      const auto v = static_cast<std::size_t>(members_[at]);
      bags_[v].push_back(static_cast<std::int32_t>(bag));
      scores_[v] = std::max(scores_[v], values_[at]);
    }
  }
  score_ = std::accumulate(scores_.begin(), scores_.end(), 0.0);
  best_ = {};
  has_risen_ = true;
  save();
}

// Keeps the state if it is the best so far. Called before the score falls.
void BagSearch::save() {
  if (!has_risen_) return;
  has_risen_ = false;
  if (score_ <= best_.score) return;
  best_.members = members_;
  best_.neighbours = neighbours_;
  best_.ranks = ranks_;
  best_.score = score_;
  best_.is_network = std::ranges::equal(scores_, none_, std::greater<>());
}

// Finds the best score of each member of a bag with parents that are before it in the bag.
void BagSearch::value_members(const std::int32_t* members, double* values) {
  std::array<std::uint8_t, kMostMembers> order{};
  const auto rank = [&](std::size_t at) { return ranks_[static_cast<std::size_t>(members[at])]; };
  for (std::size_t at = 0; at < size_; ++at) {
    std::size_t place = at;
    for (; place > 0 && rank(order[place - 1]) > rank(at); --place) order[place] = order[place - 1];
    order[place] = static_cast<std::uint8_t>(at);
  }
  const std::size_t most = index_.most_parents();
  for (std::size_t at = 0; at < size_; ++at) {
    const std::int32_t child = members[order[at]];
    const auto v = static_cast<std::size_t>(child);
    sets_.assign(1, {index_.child_key(child), 0});
    double best = std::max(none_[v], index_.score(sets_[0].key));
    for (std::size_t before = 0; before < at; ++before) {
      const std::int32_t parent = members[order[before]];
      if (!may_be_parent(v, static_cast<std::size_t>(parent))) continue;
      const std::uint64_t key = index_.key(parent);
      const std::size_t n_sets = sets_.size();
      for (std::size_t which = 0; which < n_sets; ++which) {
        const KeyedSet larger{sets_[which].key ^ key, sets_[which].size + 1};
        best = std::max(best, index_.score(larger.key));
        if (larger.size < most) sets_.push_back(larger);
      }
    }
    values[order[at]] = best;
  }
}

// The best value of a variable in its bags except one.
double BagSearch::best_value(std::size_t variable, std::size_t left_out) const {
  double best = none_[variable];
  for (const std::int32_t bag : bags_[variable]) {
    if (static_cast<std::size_t>(bag) == left_out) continue;
    std::size_t at = static_cast<std::size_t>(bag) * size_;
    while (static_cast<std::size_t>(members_[at]) != variable) ++at;
    best = std::max(best, values_[at]);
  }
  return best;
}

bool BagSearch::accepts(double change, Random& random) const {
  return change >= 0 || random.uniform() < std::exp(change / temperature_);
}

// Gives a bag other members if the new score is accepted. The caller sees to it that the tree stays
// a decomposition.
bool BagSearch::replace(std::size_t bag, const Members& fresh, Random& random) {
  Values values;
  value_members(fresh.data(), values.data());
  const std::span old(&members_[bag * size_], size_);
  const std::span old_values(&values_[bag * size_], size_);
  const std::span now(fresh.data(), size_);
  Values now_scores;
  Values left_scores;
  double change = 0;
  for (std::size_t at = 0; at < size_; ++at) {
    const auto v = static_cast<std::size_t>(now[at]);
    now_scores[at] = std::max(scores_[v], values[at]);
    const auto before = static_cast<std::size_t>(std::ranges::find(old, now[at]) - old.begin());
    if (before < size_ && old_values[before] == scores_[v] && values[at] < scores_[v]) {
      now_scores[at] = std::max(values[at], best_value(v, bag));
    }
    change += now_scores[at] - scores_[v];
  }
  for (std::size_t at = 0; at < size_; ++at) {
    const auto v = static_cast<std::size_t>(old[at]);
    left_scores[at] = scores_[v];
    if (old_values[at] < scores_[v] || contains(now, old[at])) continue;
    left_scores[at] = best_value(v, bag);
    change += left_scores[at] - scores_[v];
  }
  if (!accepts(change, random)) return false;
  if (change < 0) save();
  for (std::size_t at = 0; at < size_; ++at) {
    const auto v = static_cast<std::size_t>(old[at]);
    if (contains(now, old[at])) continue;
    scores_[v] = left_scores[at];
    *std::ranges::find(bags_[v], static_cast<std::int32_t>(bag)) = bags_[v].back();
    bags_[v].pop_back();
  }
  for (std::size_t at = 0; at < size_; ++at) {
    const auto v = static_cast<std::size_t>(now[at]);
    scores_[v] = now_scores[at];
    if (!contains(old, now[at])) bags_[v].push_back(static_cast<std::int32_t>(bag));
  }
  std::ranges::copy(now, old.begin());
  std::copy_n(values.begin(), size_, old_values.begin());
  score_ += change;
  has_risen_ |= change > 0;
  return true;
}

// Values bags whose members or their order have just changed, and keeps the change or takes it
// back. It concerns one more variable, which may be in none of the bags now. change_back takes it
// back, and called again makes it again.
template <typename Change>
void BagSearch::settle(std::span<const std::int32_t> bags, std::int32_t also, Random& random,
                       Change&& change_back) {
  touched_.assign(1, also);
  is_touched_[static_cast<std::size_t>(also)] = 1;
  if (kept_.size() < bags.size()) kept_.resize(bags.size());
  for (std::size_t which = 0; which < bags.size(); ++which) {
    const std::size_t first = static_cast<std::size_t>(bags[which]) * size_;
    std::copy_n(&values_[first], size_, kept_[which].begin());
    value_members(&members_[first], &values_[first]);
    for (const std::int32_t member : members(static_cast<std::size_t>(bags[which]))) {
      if (is_touched_[static_cast<std::size_t>(member)] != 0) continue;
      is_touched_[static_cast<std::size_t>(member)] = 1;
      touched_.push_back(member);
    }
  }
  double change = 0;
  fresh_.clear();
  for (const std::int32_t member : touched_) {
    const auto v = static_cast<std::size_t>(member);
    is_touched_[v] = 0;
    fresh_.push_back(best_value(v, n_bags()));
    change += fresh_.back() - scores_[v];
  }
  if (!accepts(change, random)) {
    change_back();
    for (std::size_t which = 0; which < bags.size(); ++which) {
      const std::size_t first = static_cast<std::size_t>(bags[which]) * size_;
      std::copy_n(kept_[which].begin(), size_, &values_[first]);
    }
    return;
  }
  if (change < 0 && has_risen_) {
    change_back();
    save();
    change_back();
  }
  for (std::size_t at = 0; at < touched_.size(); ++at) {
    scores_[static_cast<std::size_t>(touched_[at])] = fresh_[at];
  }
  score_ += change;
  has_risen_ |= change > 0;
}

// Exchanges a member of a bag for one of a neighbouring bag. If the neighbour holds the member that
// leaves, this is done in all bags of the member on this side.
void BagSearch::swap_member(Random& random) {
  const std::size_t bag = random.below(n_bags());
  if (neighbours_[bag].empty()) return;
  const std::size_t other = pick(neighbours_[bag], random);
  Members outside{};
  std::size_t n_outside = 0;
  for (const std::int32_t member : members(other)) {
    if (!holds(bag, member)) outside[n_outside++] = member;
  }
  if (n_outside == 0) return;
  const std::int32_t joins = outside[random.below(n_outside)];
  const std::size_t at = random.below(size_);
  const std::int32_t leaves = members(bag)[at];
  const auto n_holding = std::ranges::count_if(neighbours_[bag], [&](std::int32_t neighbour) {
    return holds(static_cast<std::size_t>(neighbour), leaves);
  });
  if (n_holding == 1) {
    Members fresh{};
    std::ranges::copy(members(bag), fresh.begin());
    fresh[at] = joins;
    replace(bag, fresh, random);
  } else if (holds(other, leaves)) {
    replace_in_branch(bag, other, leaves, joins, random);
  }
}

void BagSearch::replace_in_branch(std::size_t bag, std::size_t root, std::int32_t leaves,
                                  std::int32_t joins, Random& random) {
  changed_.assign(1, static_cast<std::int32_t>(bag));
  branch_parents_.assign(1, static_cast<std::int32_t>(root));
  for (std::size_t at = 0; at < changed_.size(); ++at) {
    for (const std::int32_t next : neighbours_[static_cast<std::size_t>(changed_[at])]) {
      if (next == branch_parents_[at] || !holds(static_cast<std::size_t>(next), leaves)) continue;
      changed_.push_back(next);
      branch_parents_.push_back(changed_[at]);
      if (changed_.size() > kMostChanged) return;
    }
  }
  const auto rename = [&](std::int32_t from, std::int32_t to) {
    for (const std::int32_t number : changed_) {
      const std::span all(&members_[static_cast<std::size_t>(number) * size_], size_);
      std::ranges::replace(all, from, to);
      std::erase(bags_[static_cast<std::size_t>(from)], number);
      bags_[static_cast<std::size_t>(to)].push_back(number);
    }
  };
  bool is_renamed = true;
  rename(leaves, joins);
  const auto change = [&] {
    is_renamed ? rename(joins, leaves) : rename(leaves, joins);
    is_renamed = !is_renamed;
  };
  settle(changed_, leaves, random, change);
}

// Moves a leaf of the tree to another bag. Members that it alone holds go with it, the others are
// replaced by members of the other bag.
void BagSearch::move_leaf(Random& random) {
  const std::size_t bag = random.below(n_bags());
  if (neighbours_[bag].size() != 1) return;
  Members fresh{};
  std::size_t n_fresh = 0;
  for (const std::int32_t member : members(bag)) {
    if (bags_[static_cast<std::size_t>(member)].size() == 1) fresh[n_fresh++] = member;
  }
  std::size_t host = random.below(n_bags());
  std::span<const std::int32_t> parents;
  if (n_fresh > 0) {
    const std::size_t mover = pick({fresh.data(), n_fresh}, random);
    const double share = std::pow(random.uniform(), 3);  // The power favours the best families.
    const auto k = static_cast<std::int32_t>(share * lists_.size(mover));
    if (k < lists_.size(mover)) parents = lists_.parents(mover, k);
    if (!parents.empty()) host = host_for(mover, parents, bag, random);
  }
  if (host == bag) return;
  const auto is_fresh = [&](std::int32_t variable) {
    return contains(std::span(fresh.data(), n_fresh), variable);
  };
  for (const std::int32_t parent : parents) {
    if (n_fresh < size_ && holds(host, parent) && !is_fresh(parent)) fresh[n_fresh++] = parent;
  }
  Members rest{};
  std::size_t n_rest = 0;
  for (const std::int32_t member : members(host)) {
    if (!is_fresh(member)) rest[n_rest++] = member;
  }
  while (n_fresh < size_) {
    const std::size_t at = random.below(n_rest);
    fresh[n_fresh++] = rest[at];
    rest[at] = rest[--n_rest];
  }
  const auto old_host = static_cast<std::size_t>(neighbours_[bag][0]);
  if (replace(bag, fresh, random) && host != old_host) relink(bag, old_host, host);
}

// Chooses, of some bags of one of the parents, the bag that holds most of the parents.
std::size_t BagSearch::host_for(std::size_t variable, std::span<const std::int32_t> parents,
                                std::size_t left_out, Random& random) const {
  constexpr int kTries = 4;  // Bags of the parent that are looked at.
  const std::size_t parent = pick(parents, random);
  std::size_t host = left_out;
  std::ptrdiff_t most = 0;
  for (int round = 0; round < kTries && parent != variable; ++round) {
    const std::size_t bag = pick(bags_[parent], random);
    const auto n_held =
        std::ranges::count_if(parents, [&](std::int32_t other) { return holds(bag, other); });
    if (bag == left_out || n_held <= most) continue;
    most = n_held;
    host = bag;
  }
  return host;
}

// Moves a bag, with all that hangs on it, to another neighbour of its neighbour, if that holds all
// they share. This changes the tree, not the network.
void BagSearch::hang_elsewhere(Random& random) {
  const std::size_t bag = random.below(n_bags());
  if (neighbours_[bag].empty()) return;
  const std::size_t old_host = pick(neighbours_[bag], random);
  const std::size_t host = pick(neighbours_[old_host], random);
  if (host == bag) return;
  for (const std::int32_t member : members(bag)) {
    if (holds(old_host, member) && !holds(host, member)) return;
  }
  relink(bag, old_host, host);
}

void BagSearch::relink(std::size_t bag, std::size_t from, std::size_t to) {
  std::erase(neighbours_[from], static_cast<std::int32_t>(bag));
  std::ranges::replace(neighbours_[bag], static_cast<std::int32_t>(from),
                       static_cast<std::int32_t>(to));
  neighbours_[to].push_back(static_cast<std::int32_t>(bag));
}

// Moves a variable past another one of a bag in the order.
void BagSearch::move_in_order(Random& random) {
  const std::size_t x = random.below(lists_.n_variables());
  const std::size_t bag = pick(bags_[x], random);
  const std::size_t y = pick(members(bag), random);
  if (y == x) return;
  const auto rank = [&](std::int32_t member) { return ranks_[static_cast<std::size_t>(member)]; };
  const bool forward = ranks_[y] > ranks_[x];
  // Rank of the next member of the bag in this direction.
  double end = forward ? ranks_[y] + 1 : ranks_[y] - 1;
  for (const std::int32_t member : members(bag)) {
    if (forward && rank(member) > ranks_[y]) end = std::min(end, rank(member));
    if (!forward && rank(member) < ranks_[y]) end = std::max(end, rank(member));
  }
  double other_rank = ranks_[y] + (end - ranks_[y]) * random.uniform();
  if (other_rank == ranks_[y] || other_rank == end) return;
  const double low = std::min(other_rank, ranks_[x]);
  const double high = std::max(other_rank, ranks_[x]);
  changed_.clear();
  for (const std::int32_t number : bags_[x]) {
    const auto is_passed = [&](std::int32_t member) {
      return low <= rank(member) && rank(member) <= high && static_cast<std::size_t>(member) != x;
    };
    if (std::ranges::any_of(members(static_cast<std::size_t>(number)), is_passed)) {
      changed_.push_back(number);
    }
  }
  const auto change = [&] { std::swap(ranks_[x], other_rank); };
  change();
  settle(changed_, static_cast<std::int32_t>(x), random, change);
}

// Exchanges two variables, of which one may be a parent of the other, in all bags and in the order.
void BagSearch::exchange(Random& random) {
  const std::size_t x = random.below(lists_.n_variables());
  if (lists_.neighbours(x).empty()) return;
  const std::size_t y = pick(lists_.neighbours(x), random);
  if (bags_[x].size() + bags_[y].size() > kMostChanged) return;
  exchange(x, y);
  changed_ = bags_[x];
  for (const std::int32_t bag : bags_[y]) {
    if (!contains(bags_[x], bag)) changed_.push_back(bag);
  }
  settle(changed_, static_cast<std::int32_t>(x), random, [&] { exchange(x, y); });
}

void BagSearch::exchange(std::size_t x, std::size_t y) {
  const auto rename = [&](std::span<const std::int32_t> bags, std::int32_t from, std::int32_t to) {
    for (const std::int32_t bag : bags) {
      const std::span all(&members_[static_cast<std::size_t>(bag) * size_], size_);
      std::ranges::replace(all, from, to);
    }
  };
  constexpr std::int32_t kNobody = -1;
  rename(bags_[x], static_cast<std::int32_t>(x), kNobody);
  rename(bags_[y], static_cast<std::int32_t>(y), static_cast<std::int32_t>(x));
  rename(bags_[x], kNobody, static_cast<std::int32_t>(y));
  std::swap(bags_[x], bags_[y]);
  std::swap(ranks_[x], ranks_[y]);
}

// Spreads the ranks evenly: they come close to each other when variables are put between others.
void BagSearch::spread_ranks() {
  std::vector<std::size_t> order(ranks_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t v) { return ranks_[v]; });
  for (std::size_t at = 0; at < order.size(); ++at) ranks_[order[at]] = static_cast<double>(at);
}

void BagSearch::anneal(std::size_t n_steps, double temperature, Random& random) {
  temperature_ = temperature;
  constexpr std::size_t kSpread = 1 << 14;  // Steps from one spreading of ranks to the next.
  for (std::size_t step = 0; step < n_steps; ++step) {
    if (step % kSpread == 0) spread_ranks();
    const std::uint64_t draw = random.below(16);
    if (draw < 7) {
      swap_member(random);
    } else if (draw < 11) {
      move_leaf(random);
    } else if (draw < 14) {
      move_in_order(random);
    } else if (draw < 15) {
      exchange(random);
    } else {
      hang_elsewhere(random);
    }
  }
  // Sums of changes drift, so the scores are added up anew.
  score_ = std::accumulate(scores_.begin(), scores_.end(), 0.0);
  save();
}

}  // namespace credenet
