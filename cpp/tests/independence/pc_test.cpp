#include "credenet/independence/pc.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "check.hpp"
#include "credenet/graphs/reachability.hpp"
#include "credenet/independence/candidate_sets.hpp"
#include "credenet/independence/separation_judge.hpp"
#include "graphs/random_graphs.hpp"
#include "independence/judges.hpp"
#include "stop_at.hpp"

using namespace credenet;

namespace {

void check_truth(Random& random) {
  NoControl control;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n_nodes = round < 250 ? 1 + random.below(15) : 20 + random.below(31);
    const double density = std::min(0.5, 3.0 / static_cast<double>(n_nodes));
    const EdgeList dag = random_dag(n_nodes, density * (0.3 + random.uniform()), random);
    const Digraph graph(n_nodes, dag.view());
    SeparationJudge judge(graph);
    const ArcRules rules(n_nodes);
    check_class(dag, n_nodes, pc(judge, rules, {}, control).graph);
    check_class(dag, n_nodes, pc(judge, rules, {.settles_ambiguity = true}, control).graph);
    if (n_nodes <= 10) {
      check_class(dag, n_nodes, pc(judge, rules, {.majority = true}, control).graph);
    }
  }
}

// Checks true knowledge: the skeleton is still right, every arc is one of the DAG's, and what is
// known is obeyed.
void check_knowledge(Random& random) {
  NoControl control;
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_nodes = 2 + random.below(9);
    const EdgeList dag = random_dag(n_nodes, 0.35, random);
    const Digraph graph(n_nodes, dag.view());
    const ArcRules rules = true_rules(graph, random);
    SeparationJudge judge(graph);
    const TestedGraph result = pc(judge, rules, {}, control);
    CHECK(result.graph.conflicts.empty());
    check_obeys(result.graph, dag, graph, rules);
  }
}

// All subsets of a list with the given size, in any order.
std::set<std::vector<Node>> subsets(std::vector<Node> list, std::size_t size) {
  std::set<std::vector<Node>> result;
  for (std::size_t mask = 0; mask < std::size_t{1} << list.size(); ++mask) {
    if (static_cast<std::size_t>(std::popcount(mask)) != size) continue;
    std::vector<Node> set;
    for (std::size_t at = 0; at < list.size(); ++at) {
      if ((mask >> at & 1) != 0) set.push_back(list[at]);
    }
    std::ranges::sort(set);
    result.insert(set);
  }
  return result;
}

void check_sets(Random& random) {
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<Node>> lists(8);
    for (auto& list : lists) {
      for (Node node = 0; node < 8; ++node) {
        if (&list != &lists[static_cast<std::size_t>(node)] && random.uniform() < 0.6) {
          list.insert(list.begin() + static_cast<std::ptrdiff_t>(random.below(list.size() + 1)),
                      node);
        }
      }
    }
    const CandidateSets sets(lists);
    const std::size_t size = random.below(5);
    auto cursor = sets.start(2, 5, size);
    std::set<std::vector<Node>> found;
    std::vector<Node> members;
    while (sets.next(cursor, members)) {
      CHECK(members.size() == size);
      CHECK(found.insert(members).second);
      members.clear();
    }
    std::erase(lists[2], 5);
    std::erase(lists[5], 2);
    auto expected = subsets(lists[2], size);
    expected.merge(subsets(lists[5], size));
    CHECK(found == expected);
  }
}

// The skeleton by its definition: order by order, all sets of all pairs.
std::set<std::array<Node, 2>> slow_skeleton(const RandomJudge& judge, std::size_t max_order) {
  const auto n = static_cast<Node>(judge.n_variables());
  std::set<std::array<Node, 2>> edges;
  for (Node a = 0; a < n; ++a) {
    for (Node b = a + 1; b < n; ++b) edges.insert({a, b});
  }
  for (std::size_t order = 0; order <= max_order; ++order) {
    const auto before = edges;
    const auto neighbours = [&](Node node, Node other) {
      std::vector<Node> list;
      for (Node next = 0; next < n; ++next) {
        if (next != other && before.contains({std::min(node, next), std::max(node, next)})) {
          list.push_back(next);
        }
      }
      return list;
    };
    for (const auto& [a, b] : before) {
      auto sets = subsets(neighbours(a, b), order);
      sets.merge(subsets(neighbours(b, a), order));
      for (const auto& given : sets) {
        if (judge.answer(a, b, given).independent) edges.erase({a, b});
      }
    }
  }
  return edges;
}

void check_contradictions(Random& random) {
  NoControl control;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n_nodes = 1 + random.below(7);
    RandomJudge judge(n_nodes, 0.05 + 0.3 * random.uniform(), random.below(1 << 30));
    const std::size_t max_order = random.below(6);
    const ArcRules rules(n_nodes);
    for (const bool majority : {false, true}) {
      const TestedGraph result = pc(judge, rules, {max_order, majority}, control);
      const auto skeleton = skeleton_of(result.graph);
      CHECK(skeleton == slow_skeleton(judge, max_order));
      CHECK(result.status == Status::kComplete);
      CHECK(result.counts.tests.size() <= max_order + 1);
      check_weakest(judge, result);
      CHECK(result.weakest.size() == skeleton.size());
    }
  }
}

// Checks that a run that is stopped anywhere gives what it has.
void check_stops() {
  RandomJudge judge(9, 0.05, 3);
  const ArcRules rules(9);
  NoControl control;
  const TestedGraph whole = pc(judge, rules, {.majority = true}, control);
  std::size_t n_edges = 9 * 8 / 2;
  bool finished = false;
  for (int polls = 1; !finished; ++polls) {
    StopAt stop(polls);
    const TestedGraph result = pc(judge, rules, {.majority = true}, stop);
    const std::size_t size = result.graph.directed.size() + result.graph.undirected.size();
    CHECK(size <= n_edges);
    n_edges = size;
    finished = result.status == Status::kComplete;
    if (finished) CHECK(result.graph.directed == whole.graph.directed);
    CHECK(polls < 1000);
  }
}

}  // namespace

int main() {
  Random random(7);
  check_sets(random);
  check_truth(random);
  check_knowledge(random);
  check_contradictions(random);
  check_stops();
  return 0;
}
