#include "credenet/treewidth/bounded_dp.hpp"

#include <bit>
#include <numeric>

#include "check.hpp"
#include "credenet/treewidth/best_within.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"
#include "treewidth/bounded_brute_force.hpp"

using credenet::bounded_dp;
using credenet::bounded_dp_bytes;
using credenet::BoundedDpOptions;
using credenet::BoundedResult;
using credenet::FamilyLists;
using credenet::NoControl;
using credenet::Random;
using credenet::Status;

namespace {

using Families = std::vector<std::int32_t>;
using Neighbours = std::vector<std::uint32_t>;

void connect(Neighbours& graph, std::span<const std::int32_t> clique) {
  for (const std::int32_t a : clique) {
    for (const std::int32_t b : clique) {
      if (a != b) graph[static_cast<std::size_t>(a)] |= 1U << b;
    }
  }
}

// The least width over all orders of elimination.
std::size_t tree_width(const Neighbours& graph) {
  std::vector<std::size_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0);
  std::size_t least = graph.size();
  do {
    Neighbours left = graph;
    std::size_t width = 0;
    for (const std::size_t v : order) {
      const std::uint32_t around = left[v];
      width = std::max(width, static_cast<std::size_t>(std::popcount(around)));
      for (std::size_t u = 0; u < graph.size(); ++u) {
        if ((around >> u & 1) != 0) left[u] = (left[u] | around) & ~(1U << u) & ~(1U << v);
      }
    }
    least = std::min(least, width);
  } while (std::ranges::next_permutation(order).found);
  return least;
}

// Whether the families and the arcs have an order in common.
bool is_acyclic_with(const FamilyLists& lists, const Families& families,
                     const BoundedDpOptions& options) {
  const std::size_t n = lists.n_variables();
  std::uint32_t placed = 0;
  for (std::size_t round = 0; round < n; ++round) {
    for (std::size_t v = 0; v < n; ++v) {
      std::uint32_t needed = 0;
      for (const std::int32_t parent : chosen_parents(lists, families, v)) needed |= 1U << parent;
      for (const auto& [first, second] : options.arcs) {
        if (static_cast<std::size_t>(second) == v) needed |= 1U << first;
      }
      if ((needed & ~placed) == 0) placed |= 1U << v;
    }
  }
  return static_cast<std::size_t>(std::popcount(placed)) == n;
}

double best_of_all(const FamilyLists& lists, const BoundedDpOptions& options) {
  return best_of_all_choices(lists, [&](const Families& families) {
    Neighbours moral(lists.n_variables(), 0);
    for (std::size_t v = 0; v < lists.n_variables(); ++v) {
      const auto parents = chosen_parents(lists, families, v);
      Families family(parents.begin(), parents.end());
      family.push_back(static_cast<std::int32_t>(v));
      connect(moral, family);
    }
    for (const auto& clique : options.cliques) connect(moral, clique);
    return is_acyclic_with(lists, families, options) && tree_width(moral) <= options.tree_width;
  });
}

void check(const FamilyLists& lists, const BoundedDpOptions& options, double best) {
  NoControl control;
  const BoundedResult result = bounded_dp(lists, options, control);
  check_bounded(lists, result, best);
  CHECK(result.trace.back().score == result.score);
  if (best == kNoBoundedNetwork) return;
  CHECK(is_acyclic_with(lists, result.families, options));
  CHECK(result.decomposition.width() <= options.tree_width);
  for (auto clique : options.cliques) {
    std::ranges::sort(clique);
    CHECK(std::ranges::any_of(result.decomposition.bags,
                              [&](const auto& bag) { return std::ranges::includes(bag, clique); }));
  }
  BoundedDpOptions known = options;
  known.at_least = best;
  const BoundedResult with_known = bounded_dp(lists, known, control);
  check_bounded(lists, with_known, best);
  CHECK(with_known.peak_bytes <= bounded_dp_bytes(lists.n_variables(), options.tree_width));
  known.at_least = best - 5;
  check_bounded(lists, bounded_dp(lists, known, control), best);
  known.at_least = best + 1;
  CHECK(bounded_dp(lists, known, control).status == Status::kInfeasible);
  if (!options.arcs.empty()) return;
  check_bounded(lists, credenet::best_within(lists, result.decomposition, control), best);
}

// Draws a clique or two that fit into a bag, and arcs between members of them.
void draw_conditions(Random& random, std::size_t n, BoundedDpOptions& options) {
  for (std::size_t at = 1 + random.below(2); at-- > 0;) {
    std::set<std::int32_t> clique;
    const std::size_t size = 1 + random.below(std::min(n, options.tree_width + 1));
    while (clique.size() < size) clique.insert(static_cast<std::int32_t>(random.below(n)));
    options.cliques.emplace_back(clique.begin(), clique.end());
    const Families& members = options.cliques.back();
    if (size > 1 && random.below(2) == 0) {
      const std::size_t first = random.below(size);
      const std::size_t second = (first + 1 + random.below(size - 1)) % size;
      options.arcs.emplace_back(members[first], members[second]);
    }
  }
}

void check_against_all_networks() {
  Random random(1);
  std::size_t n_conditions_matter = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random.below(6);
    const RandomLists drawn(random, n, 6, 4, round % 3 != 0);
    const RootedLists rooted(random, n, 6, 3);
    const FamilyLists lists = round % 3 == 1 ? rooted.view() : drawn.view();
    double narrower = kNoBoundedNetwork;
    for (std::size_t k = 0; k <= n; ++k) {
      BoundedDpOptions options{.tree_width = k};
      const double best = best_of_all(lists, options);
      check(lists, options, best);
      CHECK(best >= narrower);
      narrower = best;
      draw_conditions(random, n, options);
      const double with_conditions = best_of_all(lists, options);
      n_conditions_matter += with_conditions < best ? 1 : 0;
      check(lists, options, with_conditions);
    }
  }
  CHECK(n_conditions_matter > 50);
}

// Checks larger problems: the result is as good as every network within bags drawn at random, and
// the same on two threads.
void check_larger() {
  Random random(2);
  NoControl control;
  for (int round = 0; round < 6; ++round) {
    const std::size_t n = 7 + random.below(2);
    const std::size_t k = 1 + random.below(4);
    const RandomLists drawn(random, n, 40, 4);
    const BoundedDpOptions options{.tree_width = k};
    const BoundedResult result = bounded_dp(drawn.view(), options, control);
    check_bounded(drawn.view(), result, result.score);
    CHECK(result.decomposition.width() == k);
    BoundedDpOptions threaded = options;
    threaded.n_threads = 2;
    CHECK(bounded_dp(drawn.view(), threaded, control).families == result.families);
    for (int tree = 0; tree < 20; ++tree) {
      const auto bags = draw_decomposition(random, n, k + 1);
      CHECK(credenet::best_within(drawn.view(), bags, control).score <= result.score + 1e-9);
    }
    const auto within = credenet::best_within(drawn.view(), result.decomposition, control);
    CHECK(std::abs(within.score - result.score) <= 1e-9);
  }
}

void check_edges() {
  NoControl control;
  const BitLists none;
  const BoundedResult nothing = bounded_dp(none.view(), {.tree_width = 2}, control);
  CHECK(nothing.status == Status::kOptimal && nothing.score == 0 && nothing.families.empty());
  Random random(3);
  const RandomLists drawn(random, 8, 20, 3);
  const std::size_t bytes = bounded_dp_bytes(8, 3);
  const auto limited = bounded_dp(drawn.view(), {.tree_width = 3, .max_bytes = bytes - 1}, control);
  CHECK(limited.status == Status::kMemoryLimit && limited.families.empty());
  CHECK(limited.bound < 0 && limited.bound > kNoBoundedNetwork);
  const auto enough = bounded_dp(drawn.view(), {.tree_width = 3, .max_bytes = bytes}, control);
  CHECK(enough.status == Status::kOptimal && enough.score <= limited.bound);
  CHECK(bounded_dp_bytes(40, 2) == std::numeric_limits<std::size_t>::max());
  CHECK(credenet::bounded_dp_steps(10, 3) < credenet::bounded_dp_steps(11, 3));
  // A known score saves memory, or the rows run out of it.
  const auto known = bounded_dp(
      drawn.view(), {.tree_width = 3, .max_bytes = bytes - 1, .at_least = enough.score}, control);
  CHECK(known.score == enough.score && known.peak_bytes < bytes);
  const auto unknown = bounded_dp(
      drawn.view(), {.tree_width = 3, .max_bytes = bytes / 2, .at_least = -1e9}, control);
  CHECK(unknown.status == Status::kMemoryLimit && unknown.families.empty());
  for (const int poll : {1, 100}) {
    StopAt stop(poll);
    const auto stopped = bounded_dp(drawn.view(), {.tree_width = 3}, stop);
    CHECK(stopped.status == Status::kStopped && stopped.families.empty());
    CHECK(stopped.bound == limited.bound);
  }
}

}  // namespace

int main() {
  check_against_all_networks();
  check_larger();
  check_edges();
  return 0;
}
