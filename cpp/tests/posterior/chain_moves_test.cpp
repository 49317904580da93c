// The test checks that each kind of move by itself leaves the posterior as it is: from DAGs drawn
// from the exact posterior, the move from x to y is as frequent as that from y to x.

#include <cmath>
#include <functional>
#include <map>

#include "check.hpp"
#include "credenet/posterior/arc_moves.hpp"
#include "credenet/posterior/block_moves.hpp"
#include "credenet/posterior/parent_draws.hpp"
#include "credenet/posterior/window_moves.hpp"
#include "posterior/posterior_of_lists.hpp"

using namespace credenet;

namespace {

using Move = std::function<void(DagState&, Random&)>;

// Checks the balance of a move. Returns the share of moves that led to another DAG.
double check_balance(const FamilyLists& lists, const SlowPosterior& posterior, const Move& move,
                     std::size_t n_moves, Random& random) {
  std::vector<double> sums(posterior.probabilities.size());
  std::partial_sum(posterior.probabilities.begin(), posterior.probabilities.end(), sums.begin());
  std::map<std::pair<std::size_t, std::size_t>, double> counts;
  for (std::size_t k = 0; k < n_moves; ++k) {
    const auto drawn = std::ranges::upper_bound(sums, random.uniform() * sums.back());
    const auto from = static_cast<std::size_t>(std::min(drawn, sums.end() - 1) - sums.begin());
    DagState state(lists, posterior.networks[from]);
    move(state, random);
    const Network now(state.families().begin(), state.families().end());
    const std::size_t to = posterior.place(now);
    CHECK(to < posterior.networks.size() && posterior.networks[to] == now);
    ++counts[{from, to}];
  }
  double n_changes = 0;
  double statistic = 0;
  double n_pairs = 0;
  for (const auto& [pair, count] : counts) {
    const auto [from, to] = pair;
    if (from != to) n_changes += count;
    const auto opposite = counts.find({to, from});
    const double other = opposite == counts.end() ? 0 : opposite->second;
    if (from == to || (from > to && other > 0) || count + other < 20) continue;
    statistic += (count - other) * (count - other) / (count + other);
    ++n_pairs;
  }
  // The statistic is chi-square with n_pairs degrees of freedom.
  CHECK(statistic <= n_pairs + 5 * std::sqrt(2 * n_pairs) + 10);
  return n_changes / static_cast<double>(n_moves);
}

void check_moves(const FamilyLists& lists, Random& random, std::size_t n_moves) {
  const SlowPosterior posterior(lists);
  if (posterior.networks.empty()) return;
  const FamilyWeights weights(lists);
  const FamilySteps steps(lists);
  const WindowChoice choice(weights);
  BlockMoves blocks(weights);
  const auto balance = [&](const Move& move) {
    return check_balance(lists, posterior, move, n_moves, random);
  };
  balance([&](DagState& state, Random& r) { blocks.reverse_edge(state, r); });
  balance([&](DagState& state, Random& r) { blocks.resample_blanket(state, r); });
  balance([&](DagState& state, Random& r) { ArcMoves(lists, steps).run(state, 0.8, r); });
  for (const std::size_t most_members : {2, 3, 8}) {
    WindowMoves windows(weights, choice, most_members);
    balance([&](DagState& state, Random& r) { windows.resample(state, r); });
  }
  ParentDraws draws(weights);
  balance([&](DagState& state, Random& r) {
    draws.visit(state, r.below(state.n_variables()), true, ParentDraws::Use::kCount, r);
  });
}

// Checks all families of three variables, so that every kind of move has a lot to do.
void check_all_families(Random& random) {
  BitLists lists;
  for (std::size_t v = 0; v < 3; ++v) {
    std::vector<std::pair<double, std::uint64_t>> families;
    for (std::uint64_t set = 0; set < 8; ++set) {
      if ((set >> v & 1) == 0) families.emplace_back(-2 * random.uniform(), set);
    }
    std::ranges::sort(families, std::greater<>());
    for (const auto& [score, set] : families) lists.add_family(score, set);
    lists.end_variable();
  }
  const FamilyLists view = lists.view();
  const SlowPosterior posterior(view);
  CHECK(posterior.networks.size() == 25);
  check_moves(view, random, 300000);
  const FamilyWeights weights(view);
  BlockMoves blocks(weights);
  CHECK(check_balance(
            view, posterior, [&](DagState& state, Random& r) { blocks.reverse_edge(state, r); },
            10000, random) > 0.3);
}

// Checks edges that the data are very sure of, but not of their direction: weights far beyond the
// range of a double cancel in a reversal.
void check_strong_edges(Random& random) {
  BitLists lists;
  lists.add_family(901.0, 2);
  lists.add_family(0.0, 0);
  lists.end_variable();
  lists.add_family(900.5, 5);
  lists.add_family(900.0, 1);
  lists.add_family(500.0, 4);
  lists.add_family(0.0, 0);
  lists.end_variable();
  lists.add_family(500.2, 2);
  lists.add_family(0.0, 0);
  lists.end_variable();
  check_moves(lists.view(), random, 50000);
}

}  // namespace

int main() {
  Random random(11);
  check_strong_edges(random);
  for (int k = 0; k < 2; ++k) check_all_families(random);
  for (int k = 0; k < 10; ++k) {
    const MildLists lists(random, 2 + random.below(3), 7, k % 3 != 0);
    check_moves(lists.view(), random, 60000);
  }
  return 0;
}
