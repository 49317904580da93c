#include "credenet/credible/credible_search.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "check.hpp"
#include "families/networks_of_lists.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"

using credenet::CredibleLimits;
using credenet::CredibleNetworks;
using credenet::CredibleSearch;
using credenet::FamilyLists;
using credenet::NoControl;
using credenet::Random;
using credenet::Status;

namespace {

using Network = std::vector<std::int32_t>;

constexpr double kTick = 1e-9 / 64;

std::int64_t ticks_of(double slack) { return static_cast<std::int64_t>((slack + 1e-9) / kTick); }

// The families of some variables with all parents that are no members left out, and every variable
// numbered by its place among the members: what is left of a network when the others are at hand.
struct Inside : BitLists {
  Inside(const FamilyLists& lists, const std::vector<std::int32_t>& members) {
    for (const std::int32_t member : members) {
      const auto variable = static_cast<std::size_t>(member);
      for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
        std::vector<std::int32_t> inside;
        for (const std::int32_t parent : lists.parents_of(family)) {
          const auto at = std::ranges::find(members, parent);
          if (at != members.end()) {
            inside.push_back(static_cast<std::int32_t>(at - members.begin()));
          }
        }
        add_family(lists.scores[family], inside);
      }
      end_variable();
    }
  }
};

// All networks, by trying every choice of families.
std::vector<Network> all_networks(const FamilyLists& lists) {
  const std::size_t n = lists.n_variables();
  std::vector<Network> found;
  Network choice(n, 0);
  for (std::size_t v = 0; v < n; ++v) {
    if (lists.begin(v) == lists.end(v)) return found;
  }
  while (true) {
    if (is_acyclic(lists, choice)) found.push_back(choice);
    std::size_t v = 0;
    while (v < n && static_cast<std::size_t>(++choice[v]) == lists.end(v) - lists.begin(v)) {
      choice[v++] = 0;
    }
    if (v == n) return found;
  }
}

Network row(const CredibleNetworks& networks, std::size_t at, std::size_t n) {
  const auto begin = networks.families.begin() + static_cast<std::ptrdiff_t>(at * n);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

std::vector<std::int32_t> some_of(Random& random, std::size_t n) {
  std::vector<std::int32_t> members;
  for (std::size_t v = 0; v < n; ++v) {
    if (random.below(4) != 0) members.push_back(static_cast<std::int32_t>(v));
  }
  if (members.empty()) members.push_back(0);
  return members;
}

// Checks networks and families within a slack against all of them, also with parents outside.
void test_against_all_networks() {
  Random random(5);
  for (int trial = 0; trial < 1500; ++trial) {
    const std::size_t n_all = 1 + random.below(6);
    const RandomLists drawn(random, n_all, 5, 3, random.below(4) != 0);
    const auto members = some_of(random, n_all);
    const std::size_t n = members.size();
    const Inside inside(drawn.view(), members);
    const FamilyLists lists = inside.view();
    const std::vector<Network> all = all_networks(lists);

    NoControl control;
    CredibleSearch search(drawn.view(), members);
    CHECK(search.solve(1, control) == (all.empty() ? Status::kInfeasible : Status::kOptimal));
    if (all.empty()) {
      CHECK(search.optimum() == -std::numeric_limits<double>::infinity());
      CHECK(search.best_families().empty());
      continue;
    }
    double optimum = score_of(lists, all[0]);
    for (const Network& network : all) optimum = std::max(optimum, score_of(lists, network));
    CHECK(is_close(search.optimum(), optimum));

    const double slack = std::vector{0.0, 0.35, 2.05, 6.05, 100.0}[random.below(5)];
    std::set<Network> expected;
    std::vector<std::uint8_t> used(lists.scores.size(), 0);
    for (const Network& network : all) {
      if (score_of(lists, network) < optimum - slack - 1e-9) continue;
      expected.insert(network);
      for (std::size_t v = 0; v < n; ++v) {
        used[lists.begin(v) + static_cast<std::size_t>(network[v])] = 1;
      }
    }
    CHECK(search.credible_families(slack + 1e-9, control) == used);

    const CredibleLimits limits{kTick, ticks_of(slack), std::size_t{1} << 30, 1};
    const CredibleNetworks found = search.networks(limits, control);
    CHECK(found.status == Status::kComplete);
    CHECK(found.ticks.size() == expected.size());
    CHECK(std::ranges::is_sorted(found.ticks));
    std::set<Network> listed;
    for (std::size_t at = 0; at < found.ticks.size(); ++at) {
      const Network network = row(found, at, n);
      listed.insert(network);
      const double deviation = static_cast<double>(found.ticks[at]) * kTick;
      CHECK(is_close(deviation, optimum - score_of(lists, network)));
    }
    CHECK(listed == expected);

    CredibleLimits threaded = limits;
    threaded.n_threads = 3;
    const CredibleNetworks again = search.networks(threaded, control);
    CHECK(again.ticks == found.ticks);
    CHECK(again.families == found.families);
  }
}

// Checks that the families of credible networks alone give the same networks.
void test_narrow() {
  Random random(6);
  NoControl control;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 2 + random.below(4);
    const RandomLists drawn(random, n, 6, 3);
    std::vector<std::int32_t> members;
    for (std::size_t v = 0; v < n; ++v) members.push_back(static_cast<std::int32_t>(v));
    const FamilyLists lists = drawn.view();
    CredibleSearch search(lists, members);
    CHECK(search.solve(1, control) == Status::kOptimal);
    const double slack = 3.05;
    const CredibleLimits limits{kTick, ticks_of(slack), std::size_t{1} << 30, 2};
    const CredibleNetworks before = search.networks(limits, control);
    const auto keep = search.credible_families(slack, control);
    BitLists kept;
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
        if (keep[family] != 0) kept.add_family(lists.scores[family], lists.parents_of(family));
      }
      kept.end_variable();
    }
    const FamilyLists fewer = kept.view();
    search.narrow(fewer, members);
    const CredibleNetworks after = search.networks(limits, control);
    CHECK(after.ticks == before.ticks);
    std::multiset<std::vector<double>> scores_before;
    std::multiset<std::vector<double>> scores_after;
    const auto scores_of = [&](const FamilyLists& of, const Network& network) {
      std::vector<double> several;
      for (std::size_t v = 0; v < n; ++v) {
        several.push_back(of.scores[of.begin(v) + static_cast<std::size_t>(network[v])]);
      }
      return several;
    };
    for (std::size_t at = 0; at < before.ticks.size(); ++at) {
      scores_before.insert(scores_of(lists, row(before, at, n)));
      scores_after.insert(scores_of(fewer, row(after, at, n)));
    }
    CHECK(scores_before == scores_after);
  }
}

// Checks that a stop or a limit leaves networks that are right and different.
void test_limits() {
  Random random(8);
  const std::size_t n = 10;
  const RandomLists drawn(random, n, 30, 2);
  std::vector<std::int32_t> members;
  for (std::size_t v = 0; v < n; ++v) members.push_back(static_cast<std::int32_t>(v));
  NoControl control;
  CredibleSearch search(drawn.view(), members);
  CHECK(search.solve(2, control) == Status::kOptimal);
  StopAt first(1);
  CHECK(search.credible_families(25.0, first).empty());
  const CredibleLimits limits{kTick, ticks_of(25.0), std::size_t{1} << 30, 2};
  const CredibleNetworks all = search.networks(limits, control);
  CHECK(all.ticks.size() > 5000);
  StopAt later(5);
  const CredibleNetworks stopped = search.networks(limits, later);
  CHECK(stopped.status == Status::kStopped);
  CredibleLimits small = limits;
  small.max_bytes = 1000;
  const CredibleNetworks full = search.networks(small, control);
  CHECK(full.status == Status::kMemoryLimit);
  std::set<Network> known;
  for (std::size_t at = 0; at < all.ticks.size(); ++at) known.insert(row(all, at, n));
  for (const CredibleNetworks& some : {stopped, full}) {
    CHECK(!some.ticks.empty());
    CHECK(some.ticks.size() < all.ticks.size());
    std::set<Network> different;
    for (std::size_t at = 0; at < some.ticks.size(); ++at) different.insert(row(some, at, n));
    CHECK(different.size() == some.ticks.size());
    CHECK(std::ranges::includes(known, different));
  }
}

}  // namespace

int main() {
  test_against_all_networks();
  test_narrow();
  test_limits();
}
