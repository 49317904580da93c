// Credible equivalence classes, each once. Networks grow by one variable at a time, parents first,
// and only in the smallest order of their class (GrowingClass); so every complete network is one
// class. With best[U], the optimum on U, and rest[U], the best score of the variables outside U
// given those in U, a set is on the way to a credible network only if best[U] + rest[U] is within
// the slack. rest is computed for these sets, by layers from the full one downwards, and bounds
// every branch.
#include "credenet/credible/class_search.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

#include "credenet/credible/growing_class.hpp"
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

struct Candidate {
  std::uint64_t parents;  // Parents among the members, as bits.
  std::uint32_t outside;  // Number of the set of other parents.
  double score;
  std::uint16_t position;  // Position in the list.
};

// The families of the members, best first.
struct Candidates {
  Candidates(const FamilyLists& lists, std::span<const std::int32_t> members) {
    std::vector<std::int32_t> place(lists.n_variables(), -1);
    for (std::size_t at = 0; at < members.size(); ++at) {
      place[static_cast<std::size_t>(members[at])] = static_cast<std::int32_t>(at);
    }
    std::map<std::vector<std::int32_t>, std::uint32_t> numbers;
    for (const std::int32_t member : members) {
      const auto variable = static_cast<std::size_t>(member);
      const std::size_t begin = lists.begin(variable);
      auto& own = families.emplace_back();
      std::uint64_t& all = parents.emplace_back(0);
      for (std::size_t family = begin; family < lists.end(variable); ++family) {
        std::uint64_t inside = 0;
        std::vector<std::int32_t> others;
        for (const std::int32_t parent : lists.parents_of(family)) {
          const std::int32_t at = place[static_cast<std::size_t>(parent)];
          if (at < 0) {
            others.push_back(parent);
          } else {
            inside |= bit(static_cast<std::size_t>(at));
          }
        }
        all |= inside;
        std::ranges::sort(others);
        const auto [entry, is_new] =
            numbers.try_emplace(others, static_cast<std::uint32_t>(numbers.size()));
        if (is_new) outside.push_back(others);
        own.push_back({inside, entry->second, lists.scores[family],
                       static_cast<std::uint16_t>(family - begin)});
      }
    }
  }

  std::vector<std::vector<Candidate>> families;
  std::vector<std::uint64_t> parents;  // Parents that a member has in some family.
  std::vector<std::vector<std::int32_t>> outside;
};

// The sets on the way to credible networks, with the best score of what is outside of each.
struct Sets {
  FlatIndex<VariableSet<1>> index;
  std::vector<double> rest;

  // Finds the sets. False if the control stopped it.
  bool find(const Candidates& candidates, std::span<const double> best, double least,
            Control& control) {
    const std::size_t n = candidates.families.size();
    index.insert({{bit(n) - 1}});
    rest.push_back(0.0);
    // Sets are visited before those with one variable less.
    for (std::uint32_t at = 0; at < index.size(); ++at) {
      const std::uint64_t set = index.keys()[at].words[0];
      const auto size = static_cast<std::size_t>(std::popcount(set));
      if (at % kPollNodes == 0 && !control.poll({n - size, n})) return false;
      for (std::uint64_t members = set; members != 0; members &= members - 1) {
        const auto sink = static_cast<std::size_t>(std::countr_zero(members));
        const std::uint64_t others = set ^ bit(sink);
        const double around = best[others] + rest[at];
        for (const Candidate& family : candidates.families[sink]) {
          if (!(around + family.score >= least)) break;
          if ((family.parents & ~others) != 0) continue;
          const std::uint32_t place = index.insert({{others}});
          if (place == rest.size()) rest.push_back(kNoScore);
          rest[place] = std::max(rest[place], rest[at] + family.score);
          break;
        }
      }
    }
    return true;
  }
};

struct Found {
  std::vector<std::int64_t> ticks;
  std::vector<std::uint16_t> families;
  std::vector<std::uint64_t> sizes;
  std::uint64_t n_expanded = 0;
};

// A network as far as it has grown.
struct Branch {
  GrowingClass grown;
  std::vector<std::uint32_t> chosen;  // Chosen family of each variable.
  double score = 0;
};

// The state that all workers share.
struct Shared {
  const Candidates& candidates;
  const Sets& sets;
  const CredibleLimits& limits;
  double optimum;
  double least;
  std::atomic<bool> stop{false};
  std::atomic<bool> memory_is_full{false};
  std::atomic<std::size_t> n_bytes{0};
  std::atomic<std::size_t> n_done{0};
  std::size_t n_prefixes = 0;
};

// Calls visit(variable, family) for each way to grow until it returns false.
template <typename Visit>
bool for_each_next(const Shared& shared, const Branch& branch, Visit&& visit) {
  const std::uint64_t placed = branch.grown.placed();
  for (std::size_t v = 0; v < shared.candidates.families.size(); ++v) {
    if ((placed & bit(v)) != 0) continue;
    const std::uint32_t at = shared.sets.index.find({{placed | bit(v)}});
    if (at == FlatIndex<VariableSet<1>>::kAbsent) continue;
    const double around = branch.score + shared.sets.rest[at];
    const auto& families = shared.candidates.families[v];
    for (std::size_t k = 0; k < families.size(); ++k) {
      if (!(around + families[k].score >= shared.least)) break;
      if ((families[k].parents & ~placed) != 0) continue;
      if (branch.grown.comes_earlier(v, families[k].parents, families[k].outside)) continue;
      if (!visit(v, static_cast<std::uint32_t>(k))) return false;
    }
  }
  return true;
}

// Adds a variable with a family. False if the network cannot be completed.
bool grow(Branch& branch, const Candidates& candidates, std::size_t variable,
          std::uint32_t family) {
  const Candidate& added = candidates.families[variable][family];
  branch.grown.add(variable, added.parents, added.outside);
  branch.chosen[variable] = family;
  branch.score += added.score;
  return branch.grown.can_go_on(candidates.parents);
}

// One worker's way through the branches below a prefix.
class Walk {
 public:
  Walk(Shared& shared, Branch branch, Found& found, Control* control)
      : shared_(shared), branch_(std::move(branch)), found_(found), control_(control) {}

  // Goes through the branches. False if it was stopped.
  bool run() {
    if (++found_.n_expanded % kPollNodes == 0 && !go_on()) return false;
    const std::size_t n = branch_.chosen.size();
    if (branch_.grown.size() == n) return add();
    return for_each_next(shared_, branch_, [&](std::size_t variable, std::uint32_t family) {
      const double score = branch_.score;
      const bool goes_on = !grow(branch_, shared_.candidates, variable, family) || run();
      branch_.grown.remove_last();
      branch_.score = score;
      return goes_on;
    });
  }

  bool go_on() {
    if (control_ != nullptr &&
        !control_->poll({shared_.n_done.load(std::memory_order_relaxed), shared_.n_prefixes})) {
      shared_.stop = true;
    }
    return !shared_.stop.load(std::memory_order_relaxed);
  }

 private:
  bool add() {
    const std::size_t n = branch_.chosen.size();
    double score = 0;  // Sum in the order of the variables, as for the optimum.
    for (std::size_t v = 0; v < n; ++v) {
      score += shared_.candidates.families[v][branch_.chosen[v]].score;
    }
    const std::int64_t ticks = score >= shared_.optimum
                                   ? 0
                                   : std::llround((shared_.optimum - score) / shared_.limits.tick);
    if (ticks > shared_.limits.most_ticks) return true;
    const std::size_t bytes = 2 * sizeof(std::int64_t) + n * sizeof(std::uint16_t);
    if (shared_.n_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes >
        shared_.limits.max_bytes / 2) {  // The other half is for putting the networks in order.
      shared_.memory_is_full = true;
      shared_.stop = true;
      return false;
    }
    found_.ticks.push_back(ticks);
    for (std::size_t v = 0; v < n; ++v) {
      found_.families.push_back(shared_.candidates.families[v][branch_.chosen[v]].position);
    }
    found_.sizes.push_back(branch_.grown.n_networks());
    return true;
  }

  Shared& shared_;
  Branch branch_;
  Found& found_;
  Control* control_;
};

CredibleClasses sorted(const std::vector<Found>& parts, std::size_t n_variables) {
  Found all;
  for (const Found& part : parts) {
    all.ticks.insert(all.ticks.end(), part.ticks.begin(), part.ticks.end());
    all.families.insert(all.families.end(), part.families.begin(), part.families.end());
    all.sizes.insert(all.sizes.end(), part.sizes.begin(), part.sizes.end());
    all.n_expanded += part.n_expanded;
  }
  std::vector<std::size_t> order(all.ticks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t at) { return all.ticks[at]; });
  CredibleClasses classes;
  classes.networks.n_expanded = all.n_expanded;
  for (const std::size_t at : order) {
    classes.networks.ticks.push_back(all.ticks[at]);
    classes.sizes.push_back(all.sizes[at]);
    const auto row = all.families.begin() + static_cast<std::ptrdiff_t>(at * n_variables);
    classes.networks.families.insert(classes.networks.families.end(), row,
                                     row + static_cast<std::ptrdiff_t>(n_variables));
  }
  return classes;
}

}  // namespace

CredibleClasses credible_classes(const CredibleSearch& search, const FamilyLists& lists,
                                 std::span<const std::int32_t> members,
                                 const CredibleLimits& limits, Control& control) {
  assert(search.optimum() != kNoScore && members.size() < 64);
  const std::size_t n = members.size();
  const Candidates candidates(lists, members);
  const double slack = limits.slack();
  const double least = search.best_scores().back() - slack;
  Sets sets;
  if (!sets.find(candidates, search.best_scores(), least, control)) {
    CredibleClasses none;
    none.networks.status = Status::kStopped;
    return none;
  }
  Shared shared{candidates, sets, limits, search.optimum(), least};
  std::vector<Branch> prefixes{
      {GrowingClass(candidates.outside), std::vector<std::uint32_t>(n), 0.0}};
  std::uint64_t n_expanded = 0;
  for (std::size_t depth = 0; depth < n && prefixes.size() < kPrefixes; ++depth) {
    std::vector<Branch> longer;
    for (const Branch& prefix : prefixes) {
      ++n_expanded;
      (void)for_each_next(shared, prefix, [&](std::size_t variable, std::uint32_t family) {
        longer.push_back(prefix);
        if (!grow(longer.back(), candidates, variable, family)) longer.pop_back();
        return true;
      });
    }
    prefixes = std::move(longer);
  }
  shared.n_prefixes = prefixes.size();
  std::vector<Found> found(prefixes.size());
  parallel_blocks(prefixes.size(), limits.n_threads, shared.stop,
                  [&](std::size_t at, unsigned worker) {
                    Walk walk(shared, prefixes[at], found[at], worker == 0 ? &control : nullptr);
                    if (walk.run() && walk.go_on()) {
                      shared.n_done.fetch_add(1, std::memory_order_relaxed);
                    }
                  });
  CredibleClasses all = sorted(found, n);
  all.networks.n_expanded += n_expanded;
  if (shared.n_done != prefixes.size()) {
    all.networks.status = shared.memory_is_full ? Status::kMemoryLimit : Status::kStopped;
  }
  return all;
}

}  // namespace credenet
