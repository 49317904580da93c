#include "credenet/posterior/family_weights.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "check.hpp"
#include "credenet/posterior/family_steps.hpp"
#include "posterior/posterior_of_lists.hpp"

using namespace credenet;

namespace {

struct Slow {
  std::vector<std::int64_t> families;
  double log_sum = -std::numeric_limits<double>::infinity();
};

Slow slow_sum(const FamilyLists& lists, std::size_t v, const std::vector<std::uint64_t>& blocked,
              std::size_t required) {
  Slow slow;
  double best = 0;
  long double sum = 0;
  for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
    bool fits = required == FamilyWeights::kNone;
    bool is_free = true;
    for (const std::int32_t p : lists.parents_of(family)) {
      const auto parent = static_cast<std::size_t>(p);
      fits = fits || parent == required;
      is_free = is_free && (blocked[parent / 64] >> (parent % 64) & 1) == 0;
    }
    if (!fits || !is_free) continue;
    if (slow.families.empty()) best = lists.scores[family];
    slow.families.push_back(static_cast<std::int64_t>(family));
    sum += std::exp(static_cast<long double>(lists.scores[family] - best));
  }
  if (!slow.families.empty()) slow.log_sum = best + static_cast<double>(std::log(sum));
  return slow;
}

// Checks sums; a large scale gives several segments.
void check_sums(Random& random, std::size_t n, double scale) {
  const MildLists drawn(random, n, 60, random.below(2) == 0, scale);
  const FamilyLists lists = drawn.view();
  const FamilyWeights weights(lists);
  FamilyWeights::Weighed found;
  std::vector<std::uint64_t> blocked(weights.n_words());
  for (int k = 0; k < 50; ++k) {
    const std::size_t v = random.below(n);
    for (std::uint64_t& word : blocked) word = random() & random();
    std::size_t required = random.below(n);
    if (required == v || k % 2 == 0) required = FamilyWeights::kNone;
    const Slow slow = slow_sum(lists, v, blocked, required);
    const double sum = weights.log_sum(v, blocked, required);
    weights.weigh(v, blocked, required, found);
    CHECK(sum == found.log_sum());
    CHECK(found.empty() == slow.families.empty());
    if (found.empty()) {
      CHECK(sum == -std::numeric_limits<double>::infinity());
      continue;
    }
    CHECK(std::abs(sum - slow.log_sum) <= 1e-11 * (1 + std::abs(slow.log_sum)));
    if (required != FamilyWeights::kNone) continue;
    std::vector<double> places(weights.n_places());
    std::vector<double> sums(lists.scores.size());
    weights.spread(found, blocked, 2, places);
    weights.to_families(places, sums);
    std::size_t at = 0;
    weights.for_each(found, blocked, [&](std::size_t family, double share) {
      CHECK(static_cast<std::int64_t>(family) == slow.families[at++]);
      CHECK(std::abs(share - std::exp(lists.scores[family] - slow.log_sum)) < 1e-10);
      CHECK(std::abs(sums[family] - 2 * share) < 1e-12);
      sums[family] = 0;
    });
    for (const double sum_of_others : sums) CHECK(sum_of_others == 0);
    CHECK(at > 0);
  }
}

// Checks how often families are drawn.
void check_draws(Random& random, double scale) {
  const MildLists drawn(random, 6, 60, true, scale);
  const FamilyWeights weights(drawn.view());
  const std::vector<std::uint64_t> blocked{random() & random()};
  FamilyWeights::Weighed found;
  weights.weigh(0, blocked, FamilyWeights::kNone, found);
  std::vector<double> counts(drawn.scores.size());
  constexpr double kDraws = 20000;
  for (int k = 0; k < static_cast<int>(kDraws); ++k) ++counts[weights.draw(found, blocked, random)];
  weights.for_each(found, blocked, [&](std::size_t family, double share) {
    CHECK(std::abs(counts[family] / kDraws - share) < 0.02);
    counts[family] = 0;
  });
  for (const double count : counts) CHECK(count == 0);  // Nothing else was drawn.
}

// Checks how often families are drawn without adding all weights up, by tenths of the whole weight.
void check_quick_draws(Random& random) {
  constexpr std::size_t kOthers = 13;
  constexpr std::size_t kSets = std::size_t{1} << kOthers;
  std::vector<std::uint64_t> sets(kSets);
  std::iota(sets.begin(), sets.end(), std::uint64_t{0});
  for (std::size_t at = kSets - 1; at > 0; --at) std::swap(sets[at], sets[random.below(at + 1)]);
  BitLists lists;
  for (std::size_t rank = 0; rank < kSets; ++rank) {
    lists.add_family(static_cast<double>(rank) / -600, sets[rank] << 1);
  }
  lists.end_variable();
  for (std::size_t other = 0; other < kOthers; ++other) {
    lists.add_family(0, 0);
    lists.end_variable();
  }
  const FamilyLists view = lists.view();
  const FamilyWeights weights(view);
  std::size_t n_found = 0;
  for (const std::uint64_t word : {std::uint64_t{0}, std::uint64_t{0b10}, std::uint64_t{0b10100}}) {
    const std::vector<std::uint64_t> blocked{word};
    FamilyWeights::Weighed found;
    weights.weigh(0, blocked, FamilyWeights::kNone, found);
    std::vector<std::size_t> tenth(kSets, 10);
    double below = 0;
    weights.for_each(found, blocked, [&](std::size_t family, double share) {
      tenth[family] = std::min(static_cast<std::size_t>(10 * (below + share / 2)), std::size_t{9});
      below += share;
    });
    std::vector<double> shares(11);
    weights.for_each(found, blocked,
                     [&](std::size_t family, double share) { shares[tenth[family]] += share; });
    std::vector<double> counts(11);
    constexpr double kDraws = 40000;
    double n_drawn = 0;
    double n_steps = 0;
    for (int k = 0; k < static_cast<int>(kDraws); ++k) {
      const std::size_t family = weights.draw_quickly(0, blocked, n_steps, random);
      if (family == FamilyWeights::kNone) continue;
      ++counts[tenth[family]];
      ++n_drawn;
    }
    CHECK(n_steps < kDraws * static_cast<double>(kSets) / 3);
    if (n_drawn < kDraws / 2) continue;
    ++n_found;
    CHECK(counts[10] == 0);  // No family with a blocked parent was drawn.
    for (std::size_t part = 0; part < 10; ++part) {
      const double expected = n_drawn * shares[part];
      CHECK(std::abs(counts[part] - expected) < 5 * std::sqrt(expected));
    }
  }
  CHECK(n_found == 3);
}

// Checks families by the groups that they touch: their weights, and how often each is drawn.
void check_folds(Random& random, std::size_t n, double scale) {
  const MildLists drawn(random, n, 60, true, scale);
  const FamilyLists lists = drawn.view();
  const FamilyWeights weights(lists);
  const std::size_t n_groups = 1 + random.below(5);
  std::vector<std::uint64_t> groups(n_groups * weights.n_words());
  for (std::uint64_t& word : groups) word = random() & random();
  const std::size_t variable = random.below(n);
  const double best = lists.scores[lists.begin(variable)];
  std::vector<std::vector<std::size_t>> touching(std::size_t{1} << n_groups);
  for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
    std::size_t touched = 0;
    for (const std::int32_t parent : lists.parents_of(family)) {
      const auto at = static_cast<std::size_t>(parent);
      for (std::size_t group = 0; group < n_groups; ++group) {
        touched |= (groups[group * weights.n_words() + at / 64] >> (at % 64) & 1) << group;
      }
    }
    touching[touched].push_back(family);
  }
  FamilyWeights::Folded found;
  weights.fold(variable, groups, found);
  CHECK(found.weights.size() == touching.size());
  for (std::uint32_t set = 0; set < touching.size(); ++set) {
    if (touching[set].empty()) {
      CHECK(found.weights[set].value == 0);
      continue;
    }
    const double largest = lists.scores[touching[set].front()];
    double sum = 0;
    for (const std::size_t family : touching[set]) sum += std::exp(lists.scores[family] - largest);
    const double expected = (largest - best + std::log(sum)) / std::log(2.0);
    CHECK(std::abs(found.weights[set].log2() - expected) < 1e-11 * (1 + std::abs(expected)));
    std::vector<double> counts(lists.scores.size());
    for (int k = 0; k < 400; ++k) ++counts[weights.draw(found, set, random)];
    for (const std::size_t family : touching[set]) {
      const double share = std::exp(lists.scores[family] - largest) / sum;
      CHECK(std::abs(counts[family] - 400 * share) < 6 * std::sqrt(400 * share * (1 - share)) + 3);
      counts[family] = 0;
    }
    for (const double count : counts) CHECK(count == 0);
  }
}

void check_steps(Random& random) {
  const MildLists drawn(random, 6, 40, random.below(2) == 0);
  const FamilyLists lists = drawn.view();
  const FamilySteps steps(lists);
  const auto set_of = [&](std::size_t family) {
    std::uint64_t set = 0;
    for (const std::int32_t p : lists.parents_of(family)) set |= std::uint64_t{1} << p;
    return set;
  };
  for (std::size_t v = 0; v < 6; ++v) {
    for (std::size_t a = lists.begin(v); a < lists.end(v); ++a) {
      std::size_t n_removals = 0;
      std::size_t n_additions = 0;
      for (std::size_t b = lists.begin(v); b < lists.end(v); ++b) {
        const std::uint64_t difference = set_of(a) ^ set_of(b);
        if (std::popcount(difference) != 1) continue;
        const bool removes = (set_of(a) & difference) != 0;
        ++(removes ? n_removals : n_additions);
        std::size_t n_found = 0;
        for (const auto& step : removes ? steps.removals(a) : steps.additions(a)) {
          if (step.family != b) continue;
          ++n_found;
          CHECK(std::uint64_t{1} << step.parent == difference);
          CHECK(step.gain == lists.scores[b] - lists.scores[a]);
          CHECK(step.rate == std::exp(std::min(0.0, step.gain)));
        }
        CHECK(n_found == 1);
      }
      CHECK(steps.removals(a).size() == n_removals && steps.additions(a).size() == n_additions);
    }
  }
}

}  // namespace

int main() {
  Random random(5);
  for (int k = 0; k < 60; ++k) {
    check_sums(random, 1 + random.below(7), 0.2);
    check_sums(random, 2 + random.below(7), 100);
    check_folds(random, 2 + random.below(30), k % 2 == 0 ? 0.2 : 100);
    check_steps(random);
    check_draws(random, k % 2 == 0 ? 0.2 : 100);
  }
  check_quick_draws(random);
  for (const std::size_t n : {64, 100, 150, 250, 300}) {
    check_sums(random, n, 1);
    check_folds(random, n, 1);
  }
  return 0;
}
