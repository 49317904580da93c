#include "credenet/treewidth/bounded_tables.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "credenet/treewidth/set_bits.hpp"
#include "credenet/util/no_score.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr double kSlack = 1e-6;  // Slack above the rounding errors of sums of scores.

using namespace set_bits;

double binomial(std::size_t n, std::size_t k) {
  double product = 1;
  for (std::size_t at = 1; at <= k && k <= n; ++at) {
    product = product * static_cast<double>(n - k + at) / static_cast<double>(at);
  }
  return k > n ? 0 : product;
}

// The sum, over all sets of a size, of base to the number of variables outside, without 0.
double sum_outside(std::size_t n, std::size_t size, double base) {
  const auto n_outside = static_cast<double>(n - size);
  const double with_first = size == 0 ? 0 : binomial(n - 1, size - 1);
  return with_first * std::pow(base, n_outside) +
         binomial(n - 1, size) * std::pow(base, n_outside - 1);
}

double row_size(std::size_t size) { return static_cast<double>(factorial(size) << size); }

}  // namespace

std::size_t BoundedTables::least_bytes(std::size_t n_variables, std::size_t tree_width) {
  if (n_variables > kMostVariables || tree_width >= kMostMembers) {
    return std::numeric_limits<std::size_t>::max();
  }
  const double n_sets = std::exp2(static_cast<double>(tree_width));
  // Bytes of a set: its largest value and its place.
  constexpr double kSetBytes = sizeof(double) + sizeof(std::uint16_t);
  const double rows =
      sum_outside(n_variables, tree_width + 1, 2) * (2 * n_sets * kSetBytes + sizeof(double*)) +
      sum_outside(n_variables, tree_width, 2) * (n_sets * kSetBytes + sizeof(double*));
  return static_cast<std::size_t>(rows) + SubsetScores::bytes(n_variables) +
         ((sizeof(std::uint8_t) + sizeof(std::uint32_t)) << n_variables);
}

std::size_t BoundedTables::bytes(std::size_t n_variables, std::size_t tree_width) {
  const std::size_t least = least_bytes(n_variables, tree_width);
  if (least == std::numeric_limits<std::size_t>::max()) return least;
  const double numbers = sum_outside(n_variables, tree_width + 1, 2) * row_size(tree_width + 1) +
                         sum_outside(n_variables, tree_width, 2) * row_size(tree_width);
  return least + static_cast<std::size_t>(numbers) * sizeof(double);
}

double BoundedTables::steps(std::size_t n_variables, std::size_t tree_width) {
  const double n_splits = 2 * std::pow(3, static_cast<double>(tree_width));
  const double n_orders = std::tgamma(static_cast<double>(tree_width) + 2);
  return sum_outside(n_variables, tree_width + 1, 3) / 2 * static_cast<double>(tree_width + 1) *
         n_splits * n_orders;
}

BoundedTables::Rows::Rows(std::size_t n_members, std::size_t n_rows)
    : n_sets(std::size_t{1} << n_members),
      n_orders(factorial(n_members)),
      values(n_rows, nullptr),
      tops(n_rows * n_sets, kNoScore),
      slots(n_rows * n_sets, 0) {}

bool BoundedTables::Rows::is_of_use(std::size_t row, std::size_t set) const {
  return tops[row * n_sets + set] != kNoScore;
}

BoundedTables::BoundedTables(const FamilyLists& lists, std::size_t tree_width,
                             const std::vector<std::vector<std::int32_t>>& cliques,
                             const Arcs& arcs, double at_least)
    : n_(lists.n_variables()),
      k_(tree_width),
      scores_(lists),
      orders_(tree_width + 1),
      arcs_(arcs),
      least_(at_least),
      sizes_(std::size_t{1} << n_),
      numbers_(std::size_t{1} << n_),
      bag_rows_(tree_width + 1, 0),
      separator_rows_(tree_width, 0) {
  assert(k_ + 1 < n_);
  for (const auto& members : cliques) {
    Set& clique = cliques_.emplace_back(0);
    for (const std::int32_t variable : members) clique |= bit(static_cast<std::size_t>(variable));
  }
  for (Set set = 0; set < bit(n_); ++set) sizes_[set] = static_cast<std::uint8_t>(size_of(set));
  for (std::size_t left_out = 0; left_out <= k_; ++left_out) {
    restrictions_.push_back(orders_.restriction((bit(k_ + 1) - 1) ^ bit(left_out)));
    splits_.push_back(list_splits(left_out));
  }
  for (std::size_t v = 0; v < n_; ++v) least_ -= scores_.score(v, bit(n_) - 1);
  least_ = std::max(least_ - kSlack, std::numeric_limits<double>::lowest());
  bag_rows_ = Rows(k_ + 1, number_sets(k_ + 1, bags_, bag_starts_));
  separator_rows_ = Rows(k_, number_sets(k_, separators_, separator_starts_));
  n_bytes_ = least_bytes(n_, k_);
}

Set BoundedTables::outside(Set members) const { return (bit(n_) - 1) & ~members & ~Set{1}; }

// The approximate work on a bag for the rests of a size.
std::uint64_t BoundedTables::work(std::size_t size) const {
  return static_cast<std::uint64_t>(binomial(n_ - k_ - 1, size)) << size;
}

// Numbers the sets of a size, and the first row of each. Returns the number of rows.
std::size_t BoundedTables::number_sets(std::size_t size, std::vector<Set>& sets,
                                       std::vector<std::size_t>& starts) {
  std::size_t n_rows = 0;
  for (Set set = 0; set < bit(n_); ++set) {
    if (sizes_[set] != size) continue;
    numbers_[set] = static_cast<std::uint32_t>(sets.size());
    sets.push_back(set);
    starts.push_back(n_rows);
    n_rows += std::size_t{1} << size_of(outside(set));
  }
  return n_rows;
}

BoundedTables::SetSplits BoundedTables::list_splits(std::size_t left_out) const {
  SetSplits result;
  for (Set set = 0; set < bit(k_ + 1); ++set) {
    const Set able = set & ~bit(left_out);
    for (Set given = able;; given = (given - 1) & able) {
      result.splits.push_back({static_cast<std::uint16_t>(set ^ given),
                               static_cast<std::uint16_t>(without_bit(given, left_out))});
      if (given == 0) break;
    }
    result.starts.push_back(result.splits.size());
  }
  return result;
}

// The variables that come before a member of a bag in an order.
Set BoundedTables::before(Set members, std::size_t at, std::size_t order) const {
  return members_of(orders_.before(at)[order], members);
}

bool BoundedTables::obeys_arcs(Set members, std::size_t order) const {
  return std::ranges::none_of(arcs_, [&](const auto& arc) {
    const Set first = bit(static_cast<std::size_t>(arc.first));
    const Set second = bit(static_cast<std::size_t>(arc.second));
    if ((members & first) == 0 || (members & second) == 0) return false;
    return (before(members, size_of(members & (first - 1)), order) & second) != 0;
  });
}

// Whether every clique with the variable can still lie in a bag if the variable joins to make this
// bag and the rest goes below it.
bool BoundedTables::allows_cliques(Set members, std::size_t variable, Set rest) const {
  return std::ranges::none_of(cliques_, [&](Set clique) {
    if ((clique >> variable & 1) == 0) return false;
    return (clique & ~((clique & rest) == 0 ? members : members | rest)) != 0;
  });
}

Status BoundedTables::fill(std::size_t max_bytes, std::span<RowStore> stores, double bound,
                           Control& control) {
  const std::size_t most = n_ - k_ - 1;
  const auto n_threads = static_cast<unsigned>(stores.size());
  for (RowStore& store : stores) {
    store.clear();
    workers_.push_back({.stored = &store});
    workers_.back().pending.resize(std::size_t{1} << most);
    workers_.back().given.resize(bag_rows_.n_orders << k_);
  }
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  std::uint64_t total = 0;
  bool is_stopped = false;
  for (std::size_t size = 0; size <= most; ++size) total += bags_.size() * work(size);
  const auto check = [&](unsigned worker) {
    if (n_bytes_ > max_bytes) stop = true;
    if (worker != 0 || control.poll({done, total, kNoScore, bound})) return;
    is_stopped = true;
    stop = true;
  };
  for (std::size_t size = 0; size <= most; ++size) {
    parallel_blocks(bags_.size(), n_threads, stop, [&](std::size_t at, unsigned worker) {
      fill_bag(at, size, workers_[worker]);
      done.fetch_add(work(size), std::memory_order_relaxed);
      check(worker);
    });
    if (size == most || stop) break;
    parallel_blocks(separators_.size(), n_threads, stop, [&](std::size_t at, unsigned worker) {
      fill_separator(at, size + 1, workers_[worker]);
      check(worker);
    });
  }
  if (is_stopped) return Status::kStopped;
  return n_bytes_ > max_bytes ? Status::kMemoryLimit : Status::kComplete;
}

double* BoundedTables::new_row(const Rows& rows, Worker& worker) {
  double* values = worker.unfinished.take(rows.size());
  std::fill_n(values, rows.size(), kNoScore);
  return values;
}

// Finds the least value of use by set of members placed: the others, in the bag or separator or
// outside, have parents that are not below.
void BoundedTables::find_least(Set members, Set below, Worker& worker) const {
  const Set available = (bit(n_) - 1) & ~below;
  const auto loss = [&](std::size_t variable) {
    return scores_.score(variable, available) - scores_.score(variable, bit(n_) - 1);
  };
  double outside_loss = 0;
  for (Set left = available & ~members; left != 0; left &= left - 1) {
    outside_loss += loss(lowest(left));
  }
  const Set all = bit(size_of(members)) - 1;
  worker.least.resize(all + std::size_t{1});
  worker.least[all] = least_ - outside_loss;
  Set size = 1;
  for (Set left = members; left != 0; left &= left - 1, size <<= 1) {
    const double of_member = loss(lowest(left));
    for (Set set = 0; set < size; ++set) {
      worker.least[all ^ (set | size)] = worker.least[all ^ set] - of_member;
    }
  }
}

// Keeps the sets of use of a finished row.
void BoundedTables::store(const double* values, Rows& rows, std::size_t row, Worker& worker) {
  const std::size_t first = row * rows.n_sets;
  std::uint16_t n_stored = 0;
  for (std::size_t set = 0; set < rows.n_sets; ++set) {
    const double* from = values + set * rows.n_orders;
    const double top = *std::max_element(from, from + rows.n_orders);
    if (top < worker.least[set]) continue;
    rows.tops[first + set] = top;
    rows.slots[first + set] = n_stored++;
  }
  if (n_stored == 0) return;
  double* to = rows.values[row] = worker.stored->take(n_stored * rows.n_orders);
  n_bytes_.fetch_add(n_stored * rows.n_orders * sizeof(double), std::memory_order_relaxed);
  for (std::size_t set = 0; set < rows.n_sets; ++set) {
    if (!rows.is_of_use(row, set)) continue;
    to = std::copy_n(values + set * rows.n_orders, rows.n_orders, to);
  }
}

void BoundedTables::fill_leaf(std::size_t at, Worker& worker) {
  const std::size_t n_orders = bag_rows_.n_orders;
  worker.unfinished.clear();
  double* values = new_row(bag_rows_, worker);
  for (std::size_t order = 0; order < n_orders; ++order) {
    if (!obeys_arcs(bags_[at], order)) continue;
    values[order] = 0;
    for (std::size_t top = 0; top <= k_; ++top) {
      const std::size_t variable = member(bags_[at], top);
      const double loss = scores_.score(variable, before(bags_[at], top, order)) -
                          scores_.score(variable, bit(n_) - 1);
      for (Set set = bit(top); set < bit(top + 1); ++set) {
        values[set * n_orders + order] = values[(set ^ bit(top)) * n_orders + order] + loss;
      }
    }
  }
  find_least(bags_[at], 0, worker);
  store(values, bag_rows_, bag(at, 0), worker);
}

// Finds the values of a separator by order of the bag.
void BoundedTables::spread(std::size_t row, std::size_t left_out,
                           std::vector<double>& result) const {
  const std::uint32_t* restriction = restrictions_[left_out];
  for (std::size_t set = 0; set < separator_rows_.n_sets; ++set) {
    if (!separator_rows_.is_of_use(row, set)) continue;
    const double* from = separator_rows_.of(row, set);
    double* to = result.data() + set * bag_rows_.n_orders;
    for (std::size_t order = 0; order < bag_rows_.n_orders; ++order) {
      to[order] = from[restriction[order]];
    }
  }
}

void BoundedTables::fill_bag(std::size_t at, std::size_t size, Worker& worker) {
  if (size == 0) return fill_leaf(at, worker);
  const std::size_t n_others = size_of(outside(bags_[at]));
  if (size > n_others) return;
  worker.unfinished.clear();
  for (Set part = 1; part < bit(n_others); ++part) {
    if (sizes_[part] > size) continue;
    for (std::size_t left_out = 0; left_out <= k_; ++left_out) {
      hang_part(at, size, part, left_out, worker);
    }
  }
  for (Set rest = 0; rest < bit(n_others); ++rest) {
    const double* values = std::exchange(worker.pending[rest], nullptr);
    if (values == nullptr) continue;
    find_least(bags_[at], members_of(rest, outside(bags_[at])), worker);
    store(values, bag_rows_, bag(at, rest), worker);
  }
}

// Hangs a part on all members but one. The others of the rest come after its first variable.
void BoundedTables::hang_part(std::size_t at, std::size_t size, Set part, std::size_t left_out,
                              Worker& worker) {
  const Set others = outside(bags_[at]);
  const Set later = (bit(size_of(others)) - 1) & ~part & ~(bit(lowest(part)) - 1);
  const std::size_t n_left = size - sizes_[part];
  if (sizes_[later] < n_left) return;
  const std::size_t variable = member(bags_[at], left_out);
  const std::size_t below = numbers_[bags_[at] ^ bit(variable)];
  const std::size_t given = separator(below, below_separator(part, others, variable));
  if (separator_rows_.values[given] == nullptr) return;
  // A bag with everything below it is the root, and all its members must be placed.
  const bool is_root = size == n_ - k_ - 1;
  bool is_spread = false;
  for (Set rest = later;; rest = (rest - 1) & later) {
    const std::size_t kept = bag(at, rest);
    const bool is_possible = sizes_[rest] == n_left && bag_rows_.values[kept] != nullptr;
    if (is_possible) find_least(bags_[at], members_of(rest | part, others), worker);
    if (is_possible && choose_splits(kept, given, left_out, is_root, worker)) {
      if (!std::exchange(is_spread, true)) spread(given, left_out, worker.given);
      double*& values = worker.pending[rest | part];
      if (values == nullptr) values = new_row(bag_rows_, worker);
      take_splits(worker.splits, worker.starts, bag_rows_.values[kept], worker.given.data(), values,
                  bag_rows_.n_orders);
    }
    if (rest == 0) break;
  }
}

// Chooses the splits that can lead to a value of use. False if there are none.
bool BoundedTables::choose_splits(std::size_t kept, std::size_t given, std::size_t left_out,
                                  bool is_root, Worker& worker) const {
  const double* kept_tops = bag_rows_.tops.data() + kept * bag_rows_.n_sets;
  const double* given_tops = separator_rows_.tops.data() + given * separator_rows_.n_sets;
  const std::uint16_t* slots = bag_rows_.slots.data() + kept * bag_rows_.n_sets;
  const SetSplits& all = splits_[left_out];
  worker.splits.clear();
  worker.starts.assign(1, 0);
  for (std::size_t set = 0; set < bag_rows_.n_sets; ++set) {
    const bool is_needed = !is_root || set + 1 == bag_rows_.n_sets;
    for (std::size_t at = all.starts[set]; at < all.starts[set + 1] && is_needed; ++at) {
      const SetSplit split = all.splits[at];
      if (kept_tops[split.kept] + given_tops[split.given] < worker.least[set]) continue;
      worker.splits.push_back(
          {slots[split.kept] * bag_rows_.n_orders, split.given * bag_rows_.n_orders});
    }
    worker.starts.push_back(worker.splits.size());
  }
  return !worker.splits.empty();
}

void BoundedTables::fill_separator(std::size_t at, std::size_t size, Worker& worker) {
  const Set others = outside(separators_[at]);
  for (Set below = 0; below < bit(size_of(others)); ++below) {
    if (sizes_[below] != size) continue;
    worker.unfinished.clear();
    double* values = nullptr;
    for (Set left = below; left != 0; left &= left - 1) {
      const std::size_t variable = member(others, lowest(left));
      const Set members = separators_[at] | bit(variable);
      const Set rest = without_bit(below, lowest(left));
      if (!allows_cliques(members, variable, members_of(rest, outside(members)))) continue;
      const std::size_t joined = size_of(members & (bit(variable) - 1));
      const std::size_t from = bag(numbers_[members], rest);
      const std::uint32_t* restriction = restrictions_[joined];
      for (Set set = 0; set < separator_rows_.n_sets; ++set) {
        const Set with_joined = with_bit(set, joined, 1);
        if (!bag_rows_.is_of_use(from, with_joined)) continue;
        if (values == nullptr) values = new_row(separator_rows_, worker);
        const double* row = bag_rows_.of(from, with_joined);
        double* to = values + set * separator_rows_.n_orders;
        for (std::size_t order = 0; order < bag_rows_.n_orders; ++order) {
          double& most = to[restriction[order]];
          most = row[order] > most ? row[order] : most;
        }
      }
    }
    if (values == nullptr) continue;
    find_least(separators_[at], members_of(below, others), worker);
    store(values, separator_rows_, separator(at, below), worker);
  }
}

bool BoundedTables::find_best(BoundedResult& result) const {
  Task task;
  double best = kNoScore;
  const Set all = bit(k_ + 1) - 1;
  for (std::size_t at = 0; at < bags_.size(); ++at) {
    if ((bags_[at] & 1) == 0) continue;
    const Set rest = bit(size_of(outside(bags_[at]))) - 1;
    if (!bag_rows_.is_of_use(bag(at, rest), all)) continue;
    const double* row = bag_rows_.of(bag(at, rest), all);
    const double* top = std::max_element(row, row + bag_rows_.n_orders);
    if (*top <= best) continue;
    best = *top;
    task = {at, rest, all, static_cast<std::size_t>(top - row), -1};
  }
  if (best < least_) return false;
  result.families.resize(n_);
  std::vector<Task> tasks{task};
  while (!tasks.empty()) {
    task = tasks.back();
    tasks.pop_back();
    place(task, tasks, result);
  }
  return true;
}

// Finds again how a bag of the best network reached its value.
void BoundedTables::place(const Task& task, std::vector<Task>& tasks, BoundedResult& result) const {
  const auto here = static_cast<std::int32_t>(result.decomposition.bags.size());
  const Set members = bags_[task.bag];
  result.decomposition.parents.push_back(task.above);
  auto& listed = result.decomposition.bags.emplace_back();
  for (Set left = members; left != 0; left &= left - 1) {
    listed.push_back(static_cast<std::int32_t>(lowest(left)));
  }
  Set to_place = task.to_place;
  Set rest = task.rest;
  while (rest != 0) give_part(task, here, to_place, rest, tasks);
  for (; to_place != 0; to_place &= to_place - 1) {
    const std::size_t at = lowest(to_place);
    const std::size_t variable = member(members, at);
    result.families[variable] = scores_.family(variable, before(members, at, task.order));
  }
}

// Makes the part with the first variable of the rest a task.
void BoundedTables::give_part(const Task& task, std::int32_t here, Set& to_place, Set& rest,
                              std::vector<Task>& tasks) const {
  const Set members = bags_[task.bag];
  const Set first = bit(lowest(rest));
  const double value = bag_rows_.of(bag(task.bag, rest), to_place)[task.order];
  for (Set others = rest ^ first;; others = (others - 1) & (rest ^ first)) {
    const Set part = others | first;
    const std::size_t kept = bag(task.bag, rest ^ part);
    for (std::size_t left_out = 0; left_out <= k_; ++left_out) {
      const std::size_t variable = member(members, left_out);
      const std::size_t at = numbers_[members ^ bit(variable)];
      const Set below = below_separator(part, outside(members), variable);
      const std::size_t order = restrictions_[left_out][task.order];
      const Set able = to_place & ~bit(left_out);
      for (Set given = able;; given = (given - 1) & able) {
        const Set set = without_bit(given, left_out);
        if (bag_rows_.is_of_use(kept, to_place ^ given) &&
            separator_rows_.is_of_use(separator(at, below), set) &&
            bag_rows_.of(kept, to_place ^ given)[task.order] +
                    separator_rows_.of(separator(at, below), set)[order] ==
                value) {
          tasks.push_back(bag_below(at, below, set, order, here));
          to_place ^= given;
          rest ^= part;
          return;
        }
        if (given == 0) break;
      }
    }
    assert(others != 0);
  }
}

// Finds the bag by which variables hang below a separator in the best way.
BoundedTables::Task BoundedTables::bag_below(std::size_t at, Set below, Set set, std::size_t order,
                                             std::int32_t above) const {
  const double value = separator_rows_.of(separator(at, below), set)[order];
  const Set others = outside(separators_[at]);
  for (Set left = below; left != 0; left &= left - 1) {
    const std::size_t variable = member(others, lowest(left));
    const Set members = separators_[at] | bit(variable);
    const Set rest = without_bit(below, lowest(left));
    if (!allows_cliques(members, variable, members_of(rest, outside(members)))) continue;
    const std::size_t joined = size_of(members & (bit(variable) - 1));
    const Set to_place = with_bit(set, joined, 1);
    if (!bag_rows_.is_of_use(bag(numbers_[members], rest), to_place)) continue;
    const double* row = bag_rows_.of(bag(numbers_[members], rest), to_place);
    for (std::size_t in_bag = 0; in_bag < bag_rows_.n_orders; ++in_bag) {
      if (restrictions_[joined][in_bag] == order && row[in_bag] == value) {
        return {numbers_[members], rest, to_place, in_bag, above};
      }
    }
  }
  assert(false);
  return {};
}

}  // namespace credenet
