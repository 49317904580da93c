#include "credenet/posterior/dag_chain.hpp"

#include <cmath>

#include "check.hpp"
#include "posterior/posterior_of_lists.hpp"
#include "stop_at.hpp"

using namespace credenet;

namespace {

// Checks family, edge and path probabilities of a long run against sums over all DAGs.
void check_probabilities(Random& random, bool with_empty, const ChainMoves& moves) {
  const std::size_t n = 2 + random.below(3);
  const MildLists drawn(random, n, 7, with_empty);
  const FamilyLists lists = drawn.view();
  const SlowPosterior posterior(lists);
  if (posterior.networks.empty()) return;
  const ChainTables tables(lists);
  NoControl control;
  DagChain chain(tables, posterior.networks[random.below(posterior.networks.size())], moves, 1, 0);
  CHECK(chain.run(100, 1, control));
  (void)chain.take_sums();
  constexpr std::size_t kSweeps = 100000;
  CHECK(chain.run(kSweeps, 100, control));
  const ChainSums sums = chain.take_sums();
  CHECK(sums.n_sweeps == kSweeps && sums.networks.size() == n * kSweeps / 100);
  std::vector<double> families(lists.scores.size());
  std::vector<double> edges(n * n);
  std::vector<double> paths(n * n);
  for (std::size_t at = 0; at < posterior.networks.size(); ++at) {
    const DagState state(lists, posterior.networks[at]);
    const double probability = posterior.probabilities[at];
    for (std::size_t v = 0; v < n; ++v) {
      families[static_cast<std::size_t>(state.families()[v])] += probability;
      for (std::size_t w = 0; w < n; ++w) {
        if (state.has_edge(w, v)) edges[v * n + w] += probability;
        if (state.has_path(w, v)) paths[v * n + w] += probability;
      }
    }
  }
  const auto near = [](double found, double expected) { return std::abs(found - expected) < 0.01; };
  for (std::size_t at = 0; at < families.size(); ++at) {
    CHECK(near(sums.parents.families[at] / kSweeps, families[at]));
  }
  for (std::size_t at = 0; at < edges.size(); ++at) {
    CHECK(near(sums.parents.edges[at] / kSweeps, edges[at]));
    CHECK(near(sums.path_times[at] / sums.time, paths[at]));
    const double mean = sums.parents.sampled[at] / static_cast<double>(sums.n_sampled);
    const double square = sums.parents.squares[at] / static_cast<double>(sums.n_sampled);
    CHECK(near(mean, edges[at]));
    CHECK(square >= mean * mean - 1e-12 && square <= mean + 1e-12);
  }
}

// Checks that stopping and going on changes nothing, and that another stream does.
void check_resumed(Random& random) {
  const MildLists drawn(random, 5, 10, true);
  const ChainTables tables(drawn.view());
  const SlowPosterior posterior(drawn.view());
  NoControl control;
  DagChain whole(tables, posterior.networks[0], {}, 3, 1);
  DagChain parts(tables, posterior.networks[0], {}, 3, 1);
  DagChain other(tables, posterior.networks[0], {}, 3, 2);
  CHECK(whole.run(50, 2, control) && other.run(50, 2, control));
  StopAt stop(20);
  CHECK(!parts.run(50, 2, stop));
  CHECK(parts.run(30, 2, control));
  const ChainSums a = whole.take_sums();
  const ChainSums b = parts.take_sums();
  const ChainSums c = other.take_sums();
  CHECK(a.n_sweeps == b.n_sweeps && a.networks == b.networks && a.scores == b.scores);
  CHECK(a.parents.edges == b.parents.edges && a.path_times == b.path_times);
  CHECK(a.networks != c.networks);
  CHECK(whole.n_moves() == parts.n_moves());
}

}  // namespace

int main() {
  Random random(7);
  ChainMoves gibbs{.draws_parents = true, .n_reversals = 0, .n_blankets = 0, .arc_time = 0};
  for (int k = 0; k < 6; ++k) {
    check_probabilities(random, true, gibbs);
    check_probabilities(random, k % 2 == 0, {});
  }
  check_resumed(random);
  return 0;
}
