#include "credenet/credible/class_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"
#include "families/bit_lists.hpp"
#include "stop_at.hpp"

using credenet::CredibleClasses;
using credenet::CredibleSearch;
using credenet::FamilyLists;
using credenet::NoControl;
using credenet::Random;
using credenet::Status;

namespace {

using Network = std::vector<std::uint32_t>;  // Parents of each variable as bits.

constexpr double kTick = 1e-9 / 64;

// Families with scores G(parents and child) - G(parents) for a set function G, which are the same
// for all networks of a class. Only some variables, the members, have parents.
struct EquivalentLists : BitLists {
  std::vector<std::uint32_t> sets;

  EquivalentLists(Random& random, std::size_t n, std::uint32_t members) {
    std::vector<double> values(std::size_t{1} << n);
    // Half of the trials have many ties.
    const bool rounded = random.below(2) == 0;
    for (double& value : values) {
      value = static_cast<double>(random.below(1000)) / 100;
      if (rounded) value = std::floor(value / 3);
    }
    for (std::uint32_t v = 0; v < n; ++v) {
      std::vector<std::pair<double, std::uint32_t>> own;
      for (std::uint32_t set = 0; set < std::uint32_t{1} << n; ++set) {
        if ((set >> v & 1) != 0 || ((members >> v & 1) == 0 && set != 0)) continue;
        own.emplace_back(values[set | std::uint32_t{1} << v] - values[set], set);
      }
      std::ranges::stable_sort(own, [](const auto& a, const auto& b) { return a.first > b.first; });
      for (const auto& [score, set] : own) {
        add_family(score, set);
        sets.push_back(set);
      }
      end_variable();
    }
  }
};

// What the networks of a class share, where variables that are no members come before all others:
// who is joined, and colliders of parents that are not joined, one of them a member at least.
using ClassKey = std::pair<std::set<std::pair<std::size_t, std::size_t>>,
                           std::set<std::tuple<std::size_t, std::size_t, std::size_t>>>;

ClassKey key_of(const Network& network, std::uint32_t members) {
  ClassKey key;
  const std::size_t n = network.size();
  const auto has = [&](std::size_t child, std::size_t parent) {
    return (network[child] >> parent & 1) != 0;
  };
  for (std::size_t child = 0; child < n; ++child) {
    for (std::size_t a = 0; a < n; ++a) {
      if (!has(child, a)) continue;
      key.first.insert({std::min(a, child), std::max(a, child)});
      for (std::size_t b = 0; b < a; ++b) {
        const bool inside = ((members >> a | members >> b) & 1) != 0;
        if (has(child, b) && inside && !has(a, b) && !has(b, a)) key.second.insert({child, b, a});
      }
    }
  }
  return key;
}

// All networks of the members with their scores, by adding one variable after the other in all
// orders.
void all_networks(const EquivalentLists& lists, std::uint32_t left, std::uint32_t placed,
                  Network& network, double score, std::map<Network, double>& found) {
  if (left == 0) found[network] = score;
  for (std::size_t v = 0; v < network.size(); ++v) {
    if ((left >> v & 1) == 0) continue;
    for (auto family = static_cast<std::size_t>(lists.starts[v]);
         family < static_cast<std::size_t>(lists.starts[v + 1]); ++family) {
      if ((lists.sets[family] & ~placed) != 0) continue;
      network[v] = lists.sets[family];
      all_networks(lists, left & ~(1U << v), placed | 1U << v, network,
                   score + lists.scores[family], found);
    }
    network[v] = 0;
  }
}

struct Class {
  double score;
  std::uint64_t size;
};

void check_classes(Random& random) {
  const std::size_t n = 1 + random.below(5);
  const std::uint32_t everything = (1U << n) - 1;
  std::uint32_t inside = everything;
  if (random.below(2) == 0) inside &= static_cast<std::uint32_t>(random.below(everything) + 1);
  std::vector<std::int32_t> members;
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(n); ++v) {
    if ((inside >> v & 1) != 0) members.push_back(v);
  }
  const EquivalentLists lists(random, n, inside);
  std::map<Network, double> networks;
  Network network(n, 0);
  all_networks(lists, inside, everything & ~inside, network, 0, networks);
  std::map<ClassKey, Class> classes;
  double optimum = -1e300;
  for (const auto& [one, score] : networks) {
    optimum = std::max(optimum, score);
    Class& known = classes.try_emplace(key_of(one, inside), Class{score, 0}).first->second;
    CHECK(std::abs(known.score - score) < 1e-9);
    ++known.size;
  }
  const double slack = std::vector{0.0, 1.055, 5.055, 100.0}[random.below(4)];
  std::erase_if(classes,
                [&](const auto& entry) { return entry.second.score < optimum - slack - 1e-9; });

  NoControl control;
  CredibleSearch search(lists.view(), members);
  CHECK(search.solve(1, control) == Status::kOptimal);
  const auto most = static_cast<std::int64_t>((slack + 1e-9) / kTick);
  for (const unsigned n_threads : {1U, 3U}) {
    auto expected = classes;
    const CredibleClasses found = credenet::credible_classes(
        search, lists.view(), members, {.tick = kTick, .most_ticks = most, .n_threads = n_threads},
        control);
    CHECK(found.networks.status == Status::kComplete);
    CHECK(found.networks.ticks.size() == expected.size());
    CHECK(std::ranges::is_sorted(found.networks.ticks));
    for (std::size_t at = 0; at < found.sizes.size(); ++at) {
      Network one(n, 0);
      for (std::size_t m = 0; m < members.size(); ++m) {
        const auto v = static_cast<std::size_t>(members[m]);
        const std::size_t position = found.networks.families[at * members.size() + m];
        one[v] = lists.sets[static_cast<std::size_t>(lists.starts[v]) + position];
      }
      CHECK(networks.contains(one));
      const auto known = expected.find(key_of(one, inside));
      CHECK(known != expected.end());
      CHECK(known->second.size == found.sizes[at]);
      CHECK(std::abs(optimum - known->second.score -
                     static_cast<double>(found.networks.ticks[at]) * kTick) < 1e-9);
      expected.erase(known);
    }
    CHECK(expected.empty());
  }
}

void check_limits() {
  Random random(1);
  const EquivalentLists lists(random, 5, 31);
  const std::vector<std::int32_t> members{0, 1, 2, 3, 4};
  NoControl control;
  CredibleSearch search(lists.view(), members);
  CHECK(search.solve(1, control) == Status::kOptimal);
  const auto most = static_cast<std::int64_t>(100 / kTick);
  StopAt stop(3);
  CHECK(credenet::credible_classes(search, lists.view(), members, {kTick, most}, stop)
            .networks.status == Status::kStopped);
  CHECK(credenet::credible_classes(search, lists.view(), members, {kTick, most, 1000}, control)
            .networks.status == Status::kMemoryLimit);
  // The classes of five variables (Gillispie and Perlman 2001).
  const auto all =
      credenet::credible_classes(search, lists.view(), members, {kTick, most}, control);
  CHECK(all.sizes.size() == 8782);
  std::uint64_t sum = 0;
  for (const std::uint64_t size : all.sizes) sum += size;
  CHECK(sum == 29281);
}

}  // namespace

int main() {
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) check_classes(random);
  check_limits();
}
