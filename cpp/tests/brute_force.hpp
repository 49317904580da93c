#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "check.hpp"
#include "credenet/families/search_result.hpp"
#include "credenet/lattice/component_lists.hpp"
#include "credenet/util/control.hpp"
#include "families/random_lists.hpp"

constexpr double kNoNetwork = -std::numeric_limits<double>::infinity();

inline std::vector<std::int32_t> all_members(std::size_t n_variables) {
  std::vector<std::int32_t> members(n_variables);
  std::iota(members.begin(), members.end(), 0);
  return members;
}

// All variables of the lists as one component.
inline credenet::ComponentLists whole(const credenet::FamilyLists& lists) {
  return {lists, all_members(lists.n_variables())};
}

// Lists of n variables. Without the empty set for every variable some are drawn with parents
// outside, which makes families without parents here; so there is a network for some lists and not
// for all.
inline credenet::ComponentLists draw_lists(credenet::Random& random, std::size_t n,
                                           std::size_t most_families, std::size_t most_parents,
                                           bool with_empty) {
  const std::size_t n_outside = with_empty ? 0 : 2;
  const RandomLists drawn(random, n + n_outside, most_families, most_parents, with_empty);
  return {drawn.view(), all_members(n)};
}

// Whether the families can be placed one after the other, each after its parents.
inline bool is_acyclic(const credenet::ComponentLists& lists,
                       std::span<const std::int32_t> families) {
  const std::size_t n = lists.n_variables();
  std::uint64_t placed = 0;
  for (std::size_t round = 0; round < n; ++round) {
    for (std::size_t v = 0; v < n; ++v) {
      const std::uint64_t parents = lists.parents(v)[static_cast<std::size_t>(families[v])];
      if ((parents & ~placed) == 0) placed |= std::uint64_t{1} << v;
    }
  }
  return static_cast<std::size_t>(std::popcount(placed)) == n;
}

// The best network by trying every choice of families; minus infinity if none is acyclic.
inline double best_of_all_networks(const credenet::ComponentLists& lists) {
  const std::size_t n = lists.n_variables();
  for (std::size_t v = 0; v < n; ++v) {
    if (lists.size(v) == 0) return kNoNetwork;
  }
  std::vector<std::int32_t> families(n, 0);
  double best = kNoNetwork;
  while (true) {
    if (is_acyclic(lists, families)) best = std::max(best, lists.score(families));
    std::size_t v = 0;
    while (v < n && static_cast<std::size_t>(++families[v]) == lists.size(v)) families[v++] = 0;
    if (v == n) return best;
  }
}

// The best network by trying every order; minus infinity if no order has one.
inline double best_of_all_orders(const credenet::ComponentLists& lists) {
  std::vector<std::int32_t> order = all_members(lists.n_variables());
  double best = kNoNetwork;
  do {
    std::uint64_t placed = 0;
    double score = 0;
    for (const std::int32_t member : order) {
      const auto v = static_cast<std::size_t>(member);
      const std::size_t k = lists.best(v, placed);
      score += k == lists.size(v) ? kNoNetwork : lists.scores(v)[k];
      placed |= std::uint64_t{1} << v;
    }
    best = std::max(best, score);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

// The most that the other variables can add to every set of placed ones (minus infinity if they
// cannot be placed).
inline std::vector<double> best_completions(const credenet::ComponentLists& lists) {
  const std::size_t n = lists.n_variables();
  const std::uint64_t everything = (std::uint64_t{1} << n) - 1;
  std::vector<double> best(everything + 1, kNoNetwork);
  best[everything] = 0;
  for (std::uint64_t placed = everything; placed-- > 0;) {
    for (std::size_t v = 0; v < n; ++v) {
      if ((placed >> v & 1) != 0) continue;
      const std::size_t k = lists.best(v, placed);
      if (k == lists.size(v)) continue;
      const double after = best[placed | std::uint64_t{1} << v];
      best[placed] = std::max(best[placed], lists.scores(v)[k] + after);
    }
  }
  return best;
}

// Checks that a finished search says the truth about lists whose best score is known.
inline void check_finished(const credenet::ComponentLists& lists,
                           const credenet::SearchResult& result, double best) {
  if (best == kNoNetwork) {
    CHECK(result.status == credenet::Status::kInfeasible);
    CHECK(result.families.empty());
    CHECK(result.score == kNoNetwork && result.bound == kNoNetwork);
    return;
  }
  CHECK(result.status == credenet::Status::kOptimal);
  CHECK(result.families.size() == lists.n_variables());
  CHECK(is_acyclic(lists, result.families));
  CHECK(result.score == lists.score(result.families));
  CHECK(result.score == result.bound);
  CHECK(std::abs(result.score - best) <= 1e-9);
  CHECK(!result.trace.empty());
  CHECK(result.trace.back().score == result.score && result.trace.back().bound == result.bound);
}

// A control that stops at the poll with the given number.
class StopAtPoll final : public credenet::Control {
 public:
  explicit StopAtPoll(std::size_t last) : last_(last) {}
  [[nodiscard]] bool poll(const credenet::Progress& progress) override {
    CHECK(progress.done <= progress.total);
    return ++n_polls_ < last_;
  }
  [[nodiscard]] std::size_t n_polls() const { return n_polls_; }

 private:
  std::size_t last_;
  std::size_t n_polls_ = 0;
};
