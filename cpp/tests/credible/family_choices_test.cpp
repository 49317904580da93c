#include "credenet/credible/family_choices.hpp"

#include <algorithm>
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

std::set<Network> networks_of(const FamilyChoices& found, std::size_t n) {
  std::set<Network> networks;
  CHECK(found.positions.size() == found.deviations.size() * n);
  for (auto at = found.positions.begin(); at != found.positions.end();
       at += static_cast<std::ptrdiff_t>(n)) {
    networks.emplace(at, at + static_cast<std::ptrdiff_t>(n));
  }
  CHECK(networks.size() == found.deviations.size());  // none comes twice
  return networks;
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

  [[nodiscard]] FamilyChoices choices(const ChoiceLimits& limits, Control& control) const {
    return family_choices(rows, numbers, multipliers, alive, members, lists.scores, limits,
                          control);
  }
};

// All variables: the networks that lose at most the budget, no more and no fewer.
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
    for_each_network(lists, [&](const std::vector<double>& x) {
      Network network;
      for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
          if (x[f] == 0) continue;
          if (drawn.alive[f] == 0) return;
          network.push_back(static_cast<std::uint16_t>(f - lists.begin(v)));
        }
      }
      if (score_of_use(lists, x) < bound - budget) {
        ++n_left_out;
      } else {
        expected.insert(network);
      }
    });
    NoControl control;
    const FamilyChoices found = drawn.choices({budget, kMuch, kMuch}, control);
    CHECK(found.status == Status::kComplete);
    CHECK(networks_of(found, n) == expected);
    n_found += expected.size();
    for (std::size_t at = 0; at < found.deviations.size(); ++at) {
      double score = 0;
      for (std::size_t v = 0; v < n; ++v) {
        score += lists.scores[lists.begin(v) + found.positions[at * n + v]];
      }
      CHECK(found.deviations[at] == score);
    }
  }
  CHECK(n_found > 4000 && n_left_out > 4000);
}

// Some variables: every part of a network within the budget is there.
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
    const FamilyChoices found = drawn.choices({budget, kMuch, kMuch}, control);
    const std::set<Network> parts = networks_of(found, drawn.members.size());
    for_each_network(lists, [&](const std::vector<double>& x) {
      for (std::size_t f = 0; f < x.size(); ++f) {
        if (x[f] != 0 && drawn.alive[f] == 0) return;
      }
      if (score_of_use(lists, x) < bound - budget) return;
      Network part;
      for (const std::int32_t member : drawn.members) {
        const auto v = static_cast<std::size_t>(member);
        for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
          if (x[f] != 0) part.push_back(static_cast<std::uint16_t>(f - lists.begin(v)));
        }
      }
      CHECK(parts.contains(part));
      ++n_found;
    });
  }
  CHECK(n_found > 2000);
}

// With little memory: all networks that lose at most the budget that is left.
void test_lower_budgets() {
  Random random(3);
  std::size_t n_lowered = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t n = 4 + random.below(2);
    const Drawn drawn(random, n);
    const double budget = static_cast<double>(random.below(900)) / 10 + 0.037;
    const std::size_t n_fitting = 1 + random.below(40);
    NoControl control;
    const FamilyChoices all = drawn.choices({budget, kMuch, kMuch}, control);
    const FamilyChoices some = drawn.choices({budget, kMuch, n_fitting * (16 + 2 * n)}, control);
    CHECK(all.budget == budget && some.budget <= budget);
    if (all.deviations.size() <= n_fitting) {
      CHECK(networks_of(some, n) == networks_of(all, n));
      continue;
    }
    if (some.status == Status::kMemoryLimit) {  // too many are the best
      CHECK(some.deviations.size() == n_fitting + 1);
      continue;
    }
    CHECK(some.status == Status::kComplete && some.budget < budget);
    CHECK(some.deviations.size() <= n_fitting);
    // Sums of losses depend on the order in which families are chosen, by rounding.
    const auto within = [&](double most) {
      return networks_of(drawn.choices({most, kMuch, kMuch}, control), n);
    };
    const std::set<Network> found = networks_of(some, n);
    CHECK(std::ranges::includes(found, within(some.budget - 1e-9)));
    CHECK(std::ranges::includes(within(some.budget + 1e-9), found));
    ++n_lowered;
  }
  CHECK(n_lowered > 100);
}

void test_limits() {
  const double everything = std::numeric_limits<double>::infinity();
  const auto listed = [&](std::size_t n, const ChoiceLimits& limits, Control&& control,
                          bool is_even = false) {
    AllFamilies all(n);
    if (is_even) std::ranges::fill(all.scores, 0.0);
    const FamilyRows rows(all.view());
    const std::vector<std::uint8_t> alive(rows.n_families(), 1);
    std::vector<std::int32_t> members(n);
    std::iota(members.begin(), members.end(), 0);
    return family_choices(rows, {}, {}, alive, members, all.scores, limits, control);
  };
  CHECK(listed(5, {everything, kMuch, kMuch}, NoControl()).deviations.size() == 29'281);
  const FamilyChoices some = listed(5, {everything, kMuch, 1000 * 26}, NoControl());
  CHECK(some.status == Status::kComplete && some.budget < everything);
  CHECK(some.deviations.size() <= 1000);
  // Where all lose the same, some of them are as good as others.
  const FamilyChoices even = listed(5, {everything, kMuch, 1000 * 26}, NoControl(), true);
  CHECK(even.status == Status::kMemoryLimit && even.deviations.size() == 1001);
  const FamilyChoices stopped = listed(6, {everything, kMuch, kMuch}, StopAt(2));
  CHECK(stopped.status == Status::kStopped && stopped.deviations.size() > 0);
  CHECK(listed(5, {everything, 0, kMuch}, NoControl()).status == Status::kIterationLimit);
}

}  // namespace

int main() {
  test_against_all_networks();
  test_parts_of_networks();
  test_lower_budgets();
  test_limits();
}
