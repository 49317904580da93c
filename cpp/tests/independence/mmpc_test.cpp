#include "credenet/independence/mmpc.hpp"

#include <algorithm>
#include <set>

#include "check.hpp"
#include "credenet/independence/separation_judge.hpp"
#include "independence/judges.hpp"
#include "stop_at.hpp"

using namespace credenet;

namespace {

using Pairs = std::set<std::array<Node, 2>>;

// Max-min parents and children of one target by the definition, all sets for all candidates.
std::vector<Node> slow_neighbours(const RandomJudge& judge, Node target, const ArcRules& rules,
                                  std::size_t max_order) {
  std::vector<Node> chosen;
  std::vector<Node> candidates;
  for (Node x = 0; x < static_cast<Node>(judge.n_variables()); ++x) {
    if (x == target || !rules.may_join(x, target)) continue;
    (rules.must_join(x, target) ? chosen : candidates).push_back(x);
  }
  const std::size_t n_fixed = chosen.size();
  // The smallest association given any set of others; negative if one separates.
  const auto weakest = [&](Node x, const std::vector<Node>& others) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t mask = 0; mask < std::size_t{1} << others.size(); ++mask) {
      if (static_cast<std::size_t>(std::popcount(mask)) > max_order) continue;
      std::vector<Node> given;
      for (std::size_t at = 0; at < others.size(); ++at) {
        if ((mask >> at & 1) != 0) given.push_back(others[at]);
      }
      std::ranges::sort(given);
      const Answer answer = judge.answer(x, target, given);
      if (answer.independent) return -1.0;
      least = std::min(least, answer.association);
    }
    return least;
  };
  while (true) {
    Node best = -1;
    double strongest = -1;
    for (const Node x : candidates) {
      if (std::ranges::find(chosen, x) != chosen.end()) continue;
      const double least = weakest(x, chosen);
      if (least > strongest) {
        best = x;
        strongest = least;
      }
    }
    if (best < 0) break;
    chosen.push_back(best);
  }
  for (std::size_t at = n_fixed; at < chosen.size();) {
    std::vector<Node> others = chosen;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
    if (weakest(chosen[at], others) < 0) {
      chosen.swap(others);
    } else {
      ++at;
    }
  }
  return chosen;
}

void check_against_slow(Random& random) {
  NoControl control;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n_nodes = 1 + random.below(8);
    RandomJudge judge(n_nodes, 0.02 + 0.2 * random.uniform(), random.below(1 << 30));
    const EdgeList dag = random_dag(n_nodes, 0.3, random);
    const ArcRules rules =
        round % 2 == 0 ? ArcRules(n_nodes) : true_rules(Digraph(n_nodes, dag.view()), random);
    const std::size_t max_order = random.below(6);
    const MmpcResult result = max_min_neighbours(judge, rules, {max_order}, control);
    std::vector<std::vector<Node>> expected(n_nodes);
    for (Node t = 0; t < static_cast<Node>(n_nodes); ++t) {
      expected[static_cast<std::size_t>(t)] = slow_neighbours(judge, t, rules, max_order);
    }
    Pairs both;
    for (Node t = 0; t < static_cast<Node>(n_nodes); ++t) {
      for (const Node x : expected[static_cast<std::size_t>(t)]) {
        const auto& other = expected[static_cast<std::size_t>(x)];
        if (t < x && std::ranges::find(other, t) != other.end()) both.insert({t, x});
      }
    }
    CHECK(Pairs(result.edges.begin(), result.edges.end()) == both);
    CHECK(result.status == Status::kComplete);
  }
}

// Checks that with true answers no edge is lost.
void check_truth(Random& random) {
  NoControl control;
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_nodes = 1 + random.below(20);
    const EdgeList dag =
        random_dag(n_nodes, std::min(0.5, 2.0 / static_cast<double>(n_nodes)), random);
    const Digraph graph(n_nodes, dag.view());
    SeparationJudge judge(graph);
    const MmpcResult result = max_min_neighbours(judge, ArcRules(n_nodes), {}, control);
    for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
      const std::array pair{std::min(dag.from[edge], dag.to[edge]),
                            std::max(dag.from[edge], dag.to[edge])};
      CHECK(std::ranges::binary_search(result.edges, pair));
    }
  }
}

void check_stops() {
  RandomJudge judge(8, 0.05, 3);
  const ArcRules rules(8);
  bool finished = false;
  for (int polls = 1; !finished; ++polls) {
    StopAt stop(polls);
    const MmpcResult result = max_min_neighbours(judge, rules, {}, stop);
    finished = result.status == Status::kComplete;
    // Each of the 8 variables polls while its candidates are listed; nothing is tested before.
    CHECK(polls > 8 || (result.edges.empty() && result.tests_by_order.empty()));
    CHECK(polls < 1000);
  }
}

}  // namespace

int main() {
  Random random(13);
  check_against_slow(random);
  check_truth(random);
  check_stops();
  return 0;
}
