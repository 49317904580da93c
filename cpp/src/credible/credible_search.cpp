// Enumeration of credible networks, each exactly once. Sinks are removed one at a time, always the
// sink of smallest index; a smaller variable passed over is blocked until one of its children is
// removed. best[U], the optimum on U, bounds every branch. The bound is exact but for blocking, so
// the time is near the size of the output. (Other orders of the variables make no difference.)
// Families that differ only in parents outside the component are chosen at the end.
//
// Which families are in a credible network is found without enumeration. With rest[U] the best
// score of the variables outside U given those in U, a set is on the way to a credible network only
// if best[U] + rest[U] is within the slack. These sets are visited from the full one downwards, by
// layers; they are far fewer than all subsets.
#include "credenet/credible/credible_search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>

#include "credenet/lattice/subset_dp.hpp"
#include "credenet/util/bit.hpp"
#include "credenet/util/flat_index.hpp"
#include "credenet/util/no_score.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {
namespace {

// Branches that are shared out, the same for any number of threads.
constexpr std::size_t kPrefixes = 512;
constexpr std::uint64_t kPollNodes = 4096;  // Nodes or sets from one poll to the next.

// The variables left, the blocked ones among them, and what may still be lost.
struct Branch {
  std::uint64_t left = 0;
  std::uint64_t blocked = 0;
  double slack = 0;
};

// The groups of the variables that were removed.
using Chosen = std::array<std::uint32_t, 64>;

struct Prefix {
  Branch branch;
  Chosen chosen{};
};

// The networks that one block of branches has found.
struct Found {
  std::vector<std::int64_t> ticks;
  std::vector<std::uint16_t> families;
  std::uint64_t n_expanded = 0;
};

class Lister {
 public:
  Lister(const FamilyGroups& groups, const double* best, double optimum,
         const CredibleLimits& limits)
      : groups_(groups), best_(best), optimum_(optimum), limits_(limits) {
    const std::size_t n = groups.n_variables();
    children_.resize(n);
    for (std::size_t child = 0; child < n; ++child) {
      for (const FamilyGroups::Group& group : groups.groups(child)) {
        for (std::uint64_t rest = group.parents; rest != 0; rest &= rest - 1) {
          children_[static_cast<std::size_t>(std::countr_zero(rest))] |= bit(child);
        }
        if (group.end - group.begin > 1) has_variants_ = true;
      }
    }
    slack_ = limits.slack();
  }

  [[nodiscard]] Branch root() const {
    Branch branch;
    const std::size_t n = groups_.n_variables();
    branch.left = n == 64 ? ~std::uint64_t{0} : bit(n) - 1;
    branch.slack = slack_;
    return branch;
  }

  // Calls visit(next, sink, group) for each branch with one variable less until it returns false.
  template <typename Visit>
  bool for_each_next(const Branch& branch, Visit&& visit) const {
    for (std::uint64_t rest = branch.left & ~branch.blocked; rest != 0; rest &= rest - 1) {
      const auto sink = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t left = branch.left ^ bit(sink);
      const std::uint64_t passed = (branch.blocked | (bit(sink) - 1)) & left;
      const double gain = best_[branch.left] - best_[left];
      const auto groups = groups_.groups(sink);
      for (std::size_t k = 0; k < groups.size(); ++k) {
        const double slack = branch.slack - (gain - groups[k].score);
        if (!(slack >= 0)) break;
        if ((groups[k].parents & ~left) != 0) continue;
        const std::uint64_t blocked = passed & ~groups[k].parents;
        if (!can_be_unblocked(blocked, left)) continue;
        if (!visit(Branch{left, blocked, slack}, sink, static_cast<std::uint32_t>(k))) return false;
      }
    }
    return true;
  }

  // Adds the networks with the chosen groups to those found.
  void add(const Chosen& chosen, Found& found) const {
    const std::size_t n = groups_.n_variables();
    std::array<std::size_t, 64> families{};
    for (std::size_t v = 0; v < n; ++v) families[v] = groups_.groups(v)[chosen[v]].begin;
    add_if_credible(families, found);
    if (has_variants_) add_variants(chosen, families, 0, found);
  }

 private:
  // Whether every blocked variable may have a child among those left.
  [[nodiscard]] bool can_be_unblocked(std::uint64_t blocked, std::uint64_t left) const {
    if (blocked == left && left != 0) return false;
    for (std::uint64_t rest = blocked; rest != 0; rest &= rest - 1) {
      if ((children_[static_cast<std::size_t>(std::countr_zero(rest))] & left) == 0) return false;
    }
    return true;
  }

  bool add_if_credible(const std::array<std::size_t, 64>& families, Found& found) const {
    const std::size_t n = groups_.n_variables();
    double score = 0;  // Sum in the order of the variables, as for the optimum.
    for (std::size_t v = 0; v < n; ++v) score += groups_.score(families[v]);
    const std::int64_t ticks =
        score >= optimum_ ? 0 : std::llround((optimum_ - score) / limits_.tick);
    if (ticks > limits_.most_ticks) return false;
    found.ticks.push_back(ticks);
    for (std::size_t v = 0; v < n; ++v) {
      found.families.push_back(static_cast<std::uint16_t>(groups_.position(families[v])));
    }
    return true;
  }

  // Adds the networks with other families of the chosen groups, from a variable on.
  void add_variants(const Chosen& chosen, std::array<std::size_t, 64>& families, std::size_t from,
                    Found& found) const {
    for (std::size_t v = from; v < groups_.n_variables(); ++v) {
      const FamilyGroups::Group& group = groups_.groups(v)[chosen[v]];
      const std::size_t first = families[v];
      for (std::size_t at = group.begin + 1; at < group.end; ++at) {
        families[v] = at;
        // Worse families of this variable, or more changes, only deviate more.
        if (!add_if_credible(families, found)) break;
        add_variants(chosen, families, v + 1, found);
      }
      families[v] = first;
    }
  }

  const FamilyGroups& groups_;
  const double* best_;
  double optimum_;
  const CredibleLimits& limits_;
  double slack_;
  std::vector<std::uint64_t> children_;
  bool has_variants_ = false;
};

// One worker's way through the branches below a prefix.
class Walk {
 public:
  Walk(const Lister& lister, const Chosen& chosen, Found& found, std::atomic<bool>& stop,
       std::atomic<std::size_t>& n_bytes, const CredibleLimits& limits, std::size_t n_variables,
       Control* control, const std::atomic<std::size_t>& n_prefixes_done, std::size_t n_prefixes)
      : lister_(lister),
        chosen_(chosen),
        found_(found),
        stop_(stop),
        n_bytes_(n_bytes),
        limits_(limits),
        row_bytes_(sizeof(std::int64_t) + n_variables * sizeof(std::uint16_t)),
        control_(control),
        n_prefixes_done_(n_prefixes_done),
        n_prefixes_(n_prefixes) {}

  // Goes through the branches. False if it was stopped.
  bool walk(const Branch& branch) {
    if (++found_.n_expanded % kPollNodes == 0 && !go_on()) return false;
    if (branch.left == 0) {
      lister_.add(chosen_, found_);
      return true;
    }
    return lister_.for_each_next(branch,
                                 [&](const Branch& next, std::size_t sink, std::uint32_t group) {
                                   chosen_[sink] = group;
                                   return walk(next);
                                 });
  }

  bool go_on() {
    const std::size_t n_found = found_.ticks.size();
    const std::size_t more = (n_found - n_counted_) * row_bytes_;
    n_counted_ = n_found;
    // Networks take memory three times: as they are found, one after the other, and sorted.
    if (3 * (n_bytes_.fetch_add(more, std::memory_order_relaxed) + more) > limits_.max_bytes) {
      memory_is_full_ = true;
      stop_ = true;
    }
    if (control_ != nullptr &&
        !control_->poll({n_prefixes_done_.load(std::memory_order_relaxed), n_prefixes_})) {
      stop_ = true;
    }
    return !stop_.load(std::memory_order_relaxed);
  }

  [[nodiscard]] bool memory_is_full() const { return memory_is_full_; }

 private:
  const Lister& lister_;
  Chosen chosen_;
  Found& found_;
  std::atomic<bool>& stop_;
  std::atomic<std::size_t>& n_bytes_;
  const CredibleLimits& limits_;
  std::size_t row_bytes_;
  std::size_t n_counted_ = 0;
  Control* control_;
  const std::atomic<std::size_t>& n_prefixes_done_;
  std::size_t n_prefixes_;
  bool memory_is_full_ = false;
};

CredibleNetworks sorted(std::vector<Found> parts, std::size_t n_variables) {
  CredibleNetworks all;
  std::vector<std::int64_t> ticks;
  std::vector<std::uint16_t> families;
  std::size_t n_networks = 0;
  for (const Found& part : parts) n_networks += part.ticks.size();
  ticks.reserve(n_networks);
  families.reserve(n_networks * n_variables);
  for (Found& part : parts) {
    ticks.insert(ticks.end(), part.ticks.begin(), part.ticks.end());
    families.insert(families.end(), part.families.begin(), part.families.end());
    all.n_expanded += part.n_expanded;
    part = {};
  }
  std::vector<std::size_t> order(ticks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t at) { return ticks[at]; });
  all.ticks.reserve(ticks.size());
  all.families.reserve(families.size());
  for (const std::size_t at : order) {
    all.ticks.push_back(ticks[at]);
    const auto row = families.begin() + static_cast<std::ptrdiff_t>(at * n_variables);
    all.families.insert(all.families.end(), row, row + static_cast<std::ptrdiff_t>(n_variables));
  }
  return all;
}

}  // namespace

CredibleSearch::CredibleSearch(const FamilyLists& lists, std::span<const std::int32_t> members)
    : lists_(lists, members), groups_(lists, members) {}

void CredibleSearch::narrow(const FamilyLists& lists, std::span<const std::int32_t> members) {
  assert(members.size() == lists_.n_variables());
  groups_ = FamilyGroups(lists, members);
}

Status CredibleSearch::solve(unsigned n_threads, Control& control) {
  best_ = best_of_subsets(lists_, n_threads, control);
  if (!best_) return Status::kStopped;
  const std::size_t n = lists_.n_variables();
  std::uint64_t left = bit(n) - 1;
  if (best_[left] == kNoScore) return Status::kInfeasible;
  std::vector<std::int32_t> families(n);
  while (left != 0) {
    for (std::uint64_t rest = left; rest != 0; rest &= rest - 1) {
      const auto sink = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t others = left ^ bit(sink);
      const std::size_t k = lists_.best(sink, others);
      // The addition is the same as in the table, so equality holds to the last digit.
      if (k == lists_.size(sink) || best_[others] + lists_.scores(sink)[k] != best_[left]) continue;
      families[sink] = static_cast<std::int32_t>(k);
      left = others;
      break;
    }
  }
  optimum_ = lists_.score(families);
  best_families_.clear();
  for (std::size_t v = 0; v < n; ++v) {
    best_families_.push_back(lists_.family(v, static_cast<std::size_t>(families[v])));
  }
  return Status::kOptimal;
}

std::vector<std::uint8_t> CredibleSearch::credible_families(double slack, Control& control) const {
  assert(best_ && optimum_ != kNoScore);
  const std::size_t n = lists_.n_variables();
  const std::uint64_t all = bit(n) - 1;
  const double least = best_[all] - slack;
  // Highest score of networks with each group, less the group's score.
  std::vector<double> highest(groups_.n_groups(), kNoScore);
  FlatIndex<VariableSet<1>> layer;
  std::vector<double> rest_of{0.0};
  layer.insert({{all}});
  for (std::size_t size = n; size > 0; --size) {
    FlatIndex<VariableSet<1>> next;
    std::vector<double> next_rest;
    for (std::uint32_t at = 0; at < layer.size(); ++at) {
      if (at % kPollNodes == 0 && !control.poll({n - size, n})) return {};
      const std::uint64_t set = layer.keys()[at].words[0];
      for (std::uint64_t members = set; members != 0; members &= members - 1) {
        const auto sink = static_cast<std::size_t>(std::countr_zero(members));
        const std::uint64_t others = set ^ bit(sink);
        const double around = best_[others] + rest_of[at];
        const std::size_t k = lists_.best(sink, others);
        if (k == lists_.size(sink)) continue;
        const double score = lists_.scores(sink)[k];
        if (!(around + score >= least)) continue;
        const std::uint32_t place = next.insert({{others}});
        if (place == next_rest.size()) next_rest.push_back(kNoScore);
        next_rest[place] = std::max(next_rest[place], rest_of[at] + score);
        const auto groups = groups_.groups(sink);
        for (std::size_t g = 0; g < groups.size() && around + groups[g].score >= least; ++g) {
          if ((groups[g].parents & ~others) != 0) continue;
          double& known = highest[groups_.number(sink, g)];
          known = std::max(known, around);
        }
      }
    }
    layer = std::move(next);
    rest_of = std::move(next_rest);
  }
  std::vector<std::uint8_t> keep(groups_.n_families(), 0);
  std::size_t start = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const auto groups = groups_.groups(v);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t at = groups[g].begin; at < groups[g].end; ++at) {
        const double best_with_it = highest[groups_.number(v, g)] + groups_.score(at);
        keep[start + groups_.position(at)] = best_with_it >= least ? 1 : 0;
      }
    }
    start += groups_.n_families(v);
  }
  return keep;
}

CredibleNetworks CredibleSearch::networks(const CredibleLimits& limits, Control& control) const {
  assert(best_ && optimum_ != kNoScore);
  const std::size_t n = lists_.n_variables();
  for (std::size_t v = 0; v < n; ++v) assert(groups_.n_families(v) <= kMostFamilies);
  const Lister lister(groups_, best_.get(), optimum_, limits);
  std::vector<Prefix> prefixes{{lister.root()}};
  std::uint64_t n_expanded = 0;
  for (std::size_t depth = 0; depth < n && prefixes.size() < kPrefixes; ++depth) {
    std::vector<Prefix> longer;
    for (const Prefix& prefix : prefixes) {
      ++n_expanded;
      const auto add = [&](const Branch& next, std::size_t sink, std::uint32_t group) {
        longer.push_back({next, prefix.chosen});
        longer.back().chosen[sink] = group;
        return true;
      };
      (void)lister.for_each_next(prefix.branch, add);
    }
    prefixes = std::move(longer);
  }
  std::vector<Found> found(prefixes.size());
  std::atomic<bool> stop{false};
  std::atomic<bool> memory_is_full{false};
  std::atomic<std::size_t> n_bytes{0};
  std::atomic<std::size_t> n_done{0};
  parallel_blocks(prefixes.size(), limits.n_threads, stop, [&](std::size_t at, unsigned worker) {
    Walk walk(lister, prefixes[at].chosen, found[at], stop, n_bytes, limits, n,
              worker == 0 ? &control : nullptr, n_done, prefixes.size());
    const bool finished = walk.walk(prefixes[at].branch) && walk.go_on();
    if (walk.memory_is_full()) memory_is_full = true;
    if (finished) n_done.fetch_add(1, std::memory_order_relaxed);
  });
  const bool complete = n_done == prefixes.size();
  CredibleNetworks all = sorted(std::move(found), n);
  all.n_expanded += n_expanded;
  if (!complete) all.status = memory_is_full ? Status::kMemoryLimit : Status::kStopped;
  return all;
}

}  // namespace credenet
