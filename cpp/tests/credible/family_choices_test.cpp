#include "credenet/credible/family_choices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "check.hpp"
#include "families/every_network.hpp"
#include "families/random_lists.hpp"
#include "ilp/draw_cut.hpp"
#include "stop_at.hpp"

using namespace credenet;

namespace {

constexpr std::uint64_t kMuch = 1'000'000'000;

using Network = std::vector<std::uint16_t>;

struct Found {
  FamilyChoices choices;
  NetworkDiagram::Rows rows;
};

std::set<Network> networks_of(const Found& found, std::size_t n) {
  std::set<Network> networks;
  CHECK(found.rows.positions.size() == found.rows.ticks.size() * n);
  for (auto at = found.rows.positions.begin(); at != found.rows.positions.end();
       at += static_cast<std::ptrdiff_t>(n)) {
    networks.emplace(at, at + static_cast<std::ptrdiff_t>(n));
  }
  CHECK(networks.size() == found.rows.ticks.size());  // No network comes twice.
  return networks;
}

// The positions of families in their lists, and their scores in ticks.
struct Names {
  std::vector<std::uint16_t> positions;
  std::vector<std::int64_t> ticks;

  explicit Names(const FamilyLists& lists) {
    for (std::size_t v = 0; v < lists.n_variables(); ++v) {
      for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
        positions.push_back(static_cast<std::uint16_t>(f - lists.begin(v)));
        ticks.push_back(std::llround(-lists.scores[f] * 10));
      }
    }
  }
};

// The choices as a list.
Found found_by(const FamilyRows& rows, std::span<const std::int32_t> numbers,
               std::span<const double> multipliers, std::span<const std::uint8_t> alive,
               std::span<const std::int32_t> members, const ChoiceLimits& limits,
               Control& control) {
  const Names names(rows.lists());
  NetworkDiagram diagram(rows.n_variables());
  Found found;
  found.choices = family_choices(rows, numbers, multipliers, alive, members,
                                 {names.positions, names.ticks}, limits, diagram, control);
  if (found.choices.root == NetworkDiagram::kNone) return found;
  CHECK(found.choices.status == Status::kComplete);
  found.rows = diagram.listed(found.choices.root, -NetworkDiagram::kNoLimit,
                              NetworkDiagram::kNoLimit, kMuch);
  CHECK(found.rows.is_whole);
  return found;
}

// A problem with some rows, and what a network loses against their bound.
struct Drawn {
  RandomLists lists;
  FamilyRows rows;
  std::vector<std::int32_t> numbers;
  std::vector<double> multipliers;
  std::vector<std::uint8_t> alive;
  std::vector<std::int32_t> members;

  Drawn(Random& random, std::size_t n)
      : lists(random, n, 6, 3, random.below(3) > 0),
        rows(lists.view()),
        alive(rows.n_families()),
        members(n) {
    for (std::size_t k = random.below(8); k > 0; --k) {
      numbers.push_back(rows.add(draw_cut(random, n)));
      multipliers.push_back(static_cast<double>(random.below(60)) / 7);
    }
    for (auto& life : alive) life = random.below(8) > 0 ? 1 : 0;
    std::iota(members.begin(), members.end(), 0);
  }

  [[nodiscard]] Found choices(const ChoiceLimits& limits, Control& control) const {
    return found_by(rows, numbers, multipliers, alive, members, limits, control);
  }
};

// Checks all variables: the networks that lose at most the budget are found, and others that are
// found are networks.
void test_against_all_networks() {
  Random random(1);
  std::size_t n_found = 0;
  std::size_t n_left_out = 0;
  for (int round = 0; round < 600; ++round) {
    const std::size_t n = 2 + random.below(4);
    const Drawn drawn(random, n);
    const FamilyLists lists = drawn.lists.view();
    const double bound = drawn.rows.bound(drawn.numbers, drawn.multipliers, drawn.alive).bound;
    const double budget = static_cast<double>(random.below(900)) / 10 + 0.037;
    std::set<Network> expected;
    std::set<Network> all;
    for_each_network(lists, [&](const std::vector<double>& x) {
      Network network;
      for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
          if (x[f] == 0) continue;
          if (drawn.alive[f] == 0) return;
          network.push_back(static_cast<std::uint16_t>(f - lists.begin(v)));
        }
      }
      all.insert(network);
      if (score_of_use(lists, x) >= bound - budget) expected.insert(network);
    });
    NoControl control;
    const Found found = drawn.choices({budget, kMuch, kMuch}, control);
    CHECK(found.choices.status == Status::kComplete);
    const std::set<Network> networks = networks_of(found, n);
    CHECK(std::ranges::includes(networks, expected));
    CHECK(std::ranges::includes(all, networks));
    n_found += networks.size();
    n_left_out += all.size() - networks.size();
    const Names names(lists);
    for (std::size_t at = 0; at < found.rows.ticks.size(); ++at) {
      std::int64_t ticks = 0;
      for (std::size_t v = 0; v < n; ++v) {
        ticks += names.ticks[lists.begin(v) + found.rows.positions[at * n + v]];
      }
      CHECK(found.rows.ticks[at] == ticks);
    }
  }
  CHECK(n_found > 4000 && n_left_out > 4000);
}

// Checks some variables: every part of a network within the budget is found.
void test_parts_of_networks() {
  Random random(2);
  std::size_t n_found = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 3 + random.below(3);
    Drawn drawn(random, n);
    const FamilyLists lists = drawn.lists.view();
    std::erase_if(drawn.members, [&](std::int32_t) { return random.below(3) == 0; });
    if (drawn.members.empty()) continue;
    const double bound = drawn.rows.bound(drawn.numbers, drawn.multipliers, drawn.alive).bound;
    const double budget = static_cast<double>(random.below(900)) / 10 + 0.037;
    NoControl control;
    const std::set<Network> parts = networks_of(drawn.choices({budget, kMuch, kMuch}, control), n);
    for_each_network(lists, [&](const std::vector<double>& x) {
      for (std::size_t f = 0; f < x.size(); ++f) {
        if (x[f] != 0 && drawn.alive[f] == 0) return;
      }
      if (score_of_use(lists, x) < bound - budget) return;
      Network part(n);  // Network of the members; other variables have no family.
      for (const std::int32_t member : drawn.members) {
        const auto v = static_cast<std::size_t>(member);
        for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
          if (x[f] != 0) part[v] = static_cast<std::uint16_t>(f - lists.begin(v));
        }
      }
      CHECK(parts.contains(part));
      ++n_found;
    });
  }
  CHECK(n_found > 2000);
}

void test_limits() {
  const double everything = std::numeric_limits<double>::infinity();
  const auto found = [&](std::size_t n, const ChoiceLimits& limits, Control&& control) {
    AllFamilies all(n);
    const FamilyRows rows(all.view());
    const std::vector<std::uint8_t> alive(rows.n_families(), 1);
    std::vector<std::int32_t> members(n);
    std::iota(members.begin(), members.end(), 0);
    return found_by(rows, {}, {}, alive, members, limits, control);
  };
  CHECK(found(5, {everything, kMuch, kMuch}, NoControl()).rows.ticks.size() == 29'281);
  CHECK(found(5, {everything, kMuch, 1000}, NoControl()).choices.status == Status::kMemoryLimit);
  CHECK(found(6, {everything, kMuch, kMuch}, StopAt(2)).choices.status == Status::kStopped);
  CHECK(found(5, {everything, 0, kMuch}, NoControl()).choices.status == Status::kIterationLimit);
}

}  // namespace

int main() {
  test_against_all_networks();
  test_parts_of_networks();
  test_limits();
}
