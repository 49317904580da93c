#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <vector>

#include "check.hpp"
#include "credenet/families/family_lists.hpp"
#include "credenet/treewidth/tree_decomposition.hpp"
#include "credenet/util/random.hpp"
#include "families/networks_of_lists.hpp"

constexpr double kNoBoundedNetwork = -std::numeric_limits<double>::infinity();

inline std::span<const std::int32_t> chosen_parents(const credenet::FamilyLists& lists,
                                                    std::span<const std::int32_t> families,
                                                    std::size_t v) {
  return lists.parents_of(lists.begin(v) + static_cast<std::size_t>(families[v]));
}

// The best acyclic choice of families that is allowed, by trying all; minus infinity without one.
template <typename Allowed>
double best_of_all_choices(const credenet::FamilyLists& lists, Allowed&& allowed) {
  const std::size_t n = lists.n_variables();
  for (std::size_t v = 0; v < n; ++v) {
    if (lists.begin(v) == lists.end(v)) return kNoBoundedNetwork;
  }
  std::vector<std::int32_t> families(n, 0);
  double best = kNoBoundedNetwork;
  while (true) {
    const double score = score_of(lists, families);
    if (score > best && is_acyclic(lists, families) && allowed(families)) best = score;
    std::size_t v = 0;
    while (v < n && static_cast<std::size_t>(++families[v]) == lists.end(v) - lists.begin(v)) {
      families[v++] = 0;
    }
    if (v == n) return best;
  }
}

// A tree of bags of at most most_members members: some within the one above, some apart from it.
inline credenet::TreeDecomposition draw_decomposition(credenet::Random& random, std::size_t n,
                                                      std::size_t most_members) {
  std::vector<std::int32_t> left(n);
  for (std::size_t v = 0; v < n; ++v) left[v] = static_cast<std::int32_t>(v);
  for (std::size_t v = n; v > 1; --v) std::swap(left[v - 1], left[random.below(v)]);
  credenet::TreeDecomposition tree;
  while (!left.empty() || random.below(2) == 0) {
    std::set<std::int32_t> members;
    if (!tree.bags.empty()) {
      tree.parents.push_back(static_cast<std::int32_t>(random.below(tree.bags.size())));
      const auto& above = tree.bags[static_cast<std::size_t>(tree.parents.back())];
      const bool keeps_most = random.below(2) == 0;
      for (const std::int32_t member : above) {
        if (random.below(keeps_most ? 8 : 2) != 0) members.insert(member);
      }
    } else {
      tree.parents.push_back(-1);
    }
    std::size_t n_new = random.below(most_members + 1);
    while (n_new-- > 0 && !left.empty() && members.size() < most_members) {
      members.insert(left.back());
      left.pop_back();
    }
    tree.bags.emplace_back(members.begin(), members.end());
  }
  return tree;
}

// Checks that an exact search within bags says the truth about lists whose best score is known.
inline void check_bounded(const credenet::FamilyLists& lists, const credenet::BoundedResult& result,
                          double best) {
  if (best == kNoBoundedNetwork) {
    CHECK(result.status == credenet::Status::kInfeasible);
    CHECK(result.families.empty());
    CHECK(result.score == kNoBoundedNetwork && result.bound == kNoBoundedNetwork);
    return;
  }
  CHECK(result.status == credenet::Status::kOptimal);
  CHECK(result.families.size() == lists.n_variables());
  CHECK(is_acyclic(lists, result.families));
  CHECK(credenet::is_within(lists, result.families, result.decomposition));
  CHECK(result.score == score_of(lists, result.families));
  CHECK(result.score == result.bound);
  CHECK(std::abs(result.score - best) <= 1e-9);
}
