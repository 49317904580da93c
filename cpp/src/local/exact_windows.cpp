// In a window of k variables, only two things matter of a family: its score, and which members
// would come before its variable: those from which a path leads to one of its parents, outside of
// the window. A choice of families is acyclic if and only if the members can be ordered so that
// each stands behind those that come before it; paths that avoid the window have no cycle already.
// So the best choice is found by dynamic programming over the sets of members (Silander and
// Myllymäki 2006), in k 2^k steps once each member has its best family for each set.
#include "credenet/local/exact_windows.hpp"

#include <algorithm>
#include <limits>

#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

constexpr std::uint64_t kRarer = 4;   // A window with one more member is rarer by this factor.
constexpr std::size_t kAttempts = 3;  // Attempts for each member to add a neighbour.

// Takes the least of each set's subsets, for sets of k members.
CREDENET_CLONES void least_of_subsets(std::int32_t* values, std::size_t k) {
  for (std::size_t bit = 1; bit < std::size_t{1} << k; bit *= 2) {
    for (std::size_t first = 0; first < std::size_t{1} << k; first += 2 * bit) {
      for (std::size_t set = first; set < first + bit; ++set) {
        values[set + bit] = std::min(values[set + bit], values[set]);
      }
    }
  }
}

}  // namespace

ExactWindows::ExactWindows(const OrderLists& lists, std::size_t most_members)
    : lists_(lists),
      most_members_(std::min({most_members, kMostMembers, lists.n_variables()})),
      numbers_(lists.n_variables(), -1),
      reached_(lists.n_variables(), 0),
      best_(most_members_ << most_members_),
      sums_(std::size_t{1} << most_members_),
      lasts_(std::size_t{1} << most_members_) {}

bool ExactWindows::improve(std::span<const std::int32_t> order,
                           std::span<const std::int32_t> places,
                           std::vector<std::int32_t>& families, Random& random) {
  choose(order, places, families, random);
  if (members_.empty()) return false;
  find_reached(order, places, families);
  find_best_families();
  double before = 0;
  double bound = 0;  // Score if each member could come last.
  const std::size_t k = members_.size();
  for (std::size_t member = 0; member < k; ++member) {
    const auto v = static_cast<std::size_t>(members_[member]);
    const std::size_t others = ((std::size_t{1} << k) - 1) & ~(std::size_t{1} << member);
    before += lists_.score(v, families[v]);
    bound += lists_.score(v, best_[(member << k) + others]);
  }
  const double enough = before + lists_.tolerance();
  if (bound <= enough || find_best_orders() <= enough) return false;
  take_best(families);
  return true;
}

void ExactWindows::add(std::int32_t variable, std::size_t most) {
  auto& number = numbers_[static_cast<std::size_t>(variable)];
  if (number >= 0 || members_.size() >= most) return;
  number = static_cast<std::int8_t>(members_.size());
  members_.push_back(variable);
}

// Chooses a variable that would gain from another family, what bars that family, and some
// neighbours.
void ExactWindows::choose(std::span<const std::int32_t> order, std::span<const std::int32_t> places,
                          std::span<const std::int32_t> families, Random& random) {
  for (const std::int32_t member : members_) numbers_[static_cast<std::size_t>(member)] = -1;
  members_.clear();
  std::size_t most = std::min(kFewMembers, most_members_);
  while (most < most_members_ && random.below(kRarer) == 0) ++most;
  std::size_t centre = 0;
  for (std::size_t tries = 0; tries < lists_.n_variables(); ++tries) {
    centre = random.below(lists_.n_variables());
    if (families[centre] > 0) break;
  }
  if (families[centre] == 0) return;
  add(static_cast<std::int32_t>(centre), most);
  find_reached(order, places, families);
  const auto better =
      static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(families[centre])));
  add_what_bars(static_cast<std::int32_t>(centre), better, families, most, random);
  for (std::size_t left = kAttempts * most; members_.size() < most && left > 0; --left) {
    const auto from = static_cast<std::size_t>(members_[random.below(members_.size())]);
    std::span<const std::int32_t> near = lists_.neighbours(from);
    if (random.below(2) == 0 && lists_.size(from) > 0) {
      const std::int32_t last = std::min(families[from], lists_.size(from) - 1);
      near = lists_.parents(
          from, static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(last) + 1)));
    }
    if (!near.empty()) add(near[random.below(near.size())], most);
  }
}

// Adds the parents of a family that are descendants of its variable, which is the only member so
// far, and a path to each.
void ExactWindows::add_what_bars(std::int32_t variable, std::int32_t family,
                                 std::span<const std::int32_t> families, std::size_t most,
                                 Random& random) {
  for (const std::int32_t parent : lists_.parents(static_cast<std::size_t>(variable), family)) {
    std::int32_t at = parent;
    while (at != variable && reached_[static_cast<std::size_t>(at)] != 0) {
      add(at, most);
      const auto here = static_cast<std::size_t>(at);
      const auto parents = lists_.parents(here, families[here]);
      const std::size_t first = random.below(parents.size());
      std::size_t step = 0;
      while (reached_[static_cast<std::size_t>(parents[(first + step) % parents.size()])] == 0)
        ++step;
      at = parents[(first + step) % parents.size()];
    }
    if (reached_[static_cast<std::size_t>(parent)] == 0) add(parent, most);
  }
}

void ExactWindows::find_reached(std::span<const std::int32_t> order,
                                std::span<const std::int32_t> places,
                                std::span<const std::int32_t> families) {
  std::size_t first = order.size();
  for (const std::int32_t member : members_) {
    first = std::min(first, static_cast<std::size_t>(places[static_cast<std::size_t>(member)]));
  }
  for (std::size_t place = 0; place < first; ++place) {
    reached_[static_cast<std::size_t>(order[place])] = 0;
  }
  for (std::size_t place = first; place < order.size(); ++place) {
    const auto v = static_cast<std::size_t>(order[place]);
    if (numbers_[v] >= 0) {
      reached_[v] = std::uint32_t{1} << numbers_[v];
      continue;
    }
    std::uint32_t from = 0;
    if (families[v] < lists_.size(v)) {
      for (const std::int32_t parent : lists_.parents(v, families[v])) {
        from |= reached_[static_cast<std::size_t>(parent)];
      }
    }
    reached_[v] = from;
  }
}

void ExactWindows::find_best_families() {
  const std::size_t k = members_.size();
  for (std::size_t member = 0; member < k; ++member) {
    const auto v = static_cast<std::size_t>(members_[member]);
    std::int32_t* const best = best_.data() + (member << k);
    std::fill_n(best, std::size_t{1} << k, lists_.size(v));
    for (std::int32_t family = 0; family < lists_.size(v); ++family) {
      std::uint32_t before = 0;
      for (const std::int32_t parent : lists_.parents(v, family)) {
        before |= reached_[static_cast<std::size_t>(parent)];
      }
      best[before] = std::min(best[before], family);
      if (before == 0) break;  // The other families are worse and not easier to have.
    }
    least_of_subsets(best, k);
  }
}

double ExactWindows::find_best_orders() {
  const std::size_t k = members_.size();
  sums_[0] = 0;
  for (std::size_t set = 1; set < std::size_t{1} << k; ++set) {
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t member = 0; member < k; ++member) {
      const std::size_t others = set & ~(std::size_t{1} << member);
      if (others == set) continue;
      const std::int32_t family = best_[(member << k) + others];
      const double sum =
          sums_[others] + lists_.score(static_cast<std::size_t>(members_[member]), family);
      if (sum <= most) continue;
      most = sum;
      lasts_[set] = static_cast<std::uint8_t>(member);
    }
    sums_[set] = most;
  }
  return sums_[(std::size_t{1} << k) - 1];
}

void ExactWindows::take_best(std::vector<std::int32_t>& families) const {
  const std::size_t k = members_.size();
  for (std::size_t set = (std::size_t{1} << k) - 1; set != 0;) {
    const std::size_t last = lasts_[set];
    set &= ~(std::size_t{1} << last);
    families[static_cast<std::size_t>(members_[last])] = best_[(last << k) + set];
  }
}

}  // namespace credenet
