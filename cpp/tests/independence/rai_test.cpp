#include "credenet/independence/rai.hpp"

#include <algorithm>
#include <set>

#include "check.hpp"
#include "credenet/graphs/extension.hpp"
#include "credenet/independence/separation_judge.hpp"
#include "independence/judges.hpp"
#include "stop_at.hpp"

using namespace credenet;

namespace {

using Pairs = std::vector<std::array<Node, 2>>;

const RaiOptions kCorrected{};
const RaiOptions kPublished{RaiVariant::kPublished};
const RaiOptions kSettled{.settles_ambiguity = true};

Pairs all_pairs(std::size_t n_nodes) {
  Pairs pairs;
  for (Node a = 0; a < static_cast<Node>(n_nodes); ++a) {
    for (Node b = a + 1; b < static_cast<Node>(n_nodes); ++b) pairs.push_back({a, b});
  }
  return pairs;
}

void check_extends(const Orientation& found, std::size_t n_nodes) {
  EdgeList directed;
  EdgeList undirected;
  for (const auto& [a, b] : found.directed) directed.add(a, b);
  for (const auto& [a, b] : found.undirected) undirected.add(a, b);
  CHECK(extension_order(MixedGraph(n_nodes, directed.view(), undirected.view())));
}

void check_truth(Random& random) {
  NoControl control;
  for (int round = 0; round < 600; ++round) {
    const std::size_t n_nodes = round < 500 ? 1 + random.below(15) : 20 + random.below(31);
    const double density = std::min(0.5, 3.0 / static_cast<double>(n_nodes));
    const EdgeList dag = random_dag(n_nodes, density * (0.3 + random.uniform()), random);
    const Digraph graph(n_nodes, dag.view());
    SeparationJudge judge(graph);
    const ArcRules rules(n_nodes);
    const Pairs pairs = all_pairs(n_nodes);
    check_class(dag, n_nodes, rai(judge, pairs, rules, kCorrected, control).graph);
    check_class(dag, n_nodes, rai(judge, pairs, rules, kSettled, control).graph);
  }
}

// Checks that the published variant goes wrong now and then, but not often on small graphs.
void check_published(Random& random) {
  NoControl control;
  int n_wrong = 0;
  for (int round = 0; round < 1000; ++round) {
    const EdgeList dag = random_dag(6, 0.4, random);
    const Digraph graph(6, dag.view());
    SeparationJudge judge(graph);
    const Orientation found = rai(judge, all_pairs(6), ArcRules(6), kPublished, control).graph;
    check_extends(found, 6);
    const auto skeleton = skeleton_of(found);
    const auto expected = skeleton_of(dag);
    CHECK(std::ranges::includes(skeleton, expected));
    n_wrong += skeleton == expected ? 0 : 1;
  }
  CHECK(0 < n_wrong && n_wrong < 50);
}

// Checks that pairs that are not adjacent in the start cost no tests; with a start that has all
// edges the skeleton is right.
void check_start(Random& random) {
  NoControl control;
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_nodes = 2 + random.below(10);
    const EdgeList dag = random_dag(n_nodes, 0.3, random);
    const Digraph graph(n_nodes, dag.view());
    SeparationJudge judge(graph);
    Pairs start;
    for (const auto& [a, b] : all_pairs(n_nodes)) {
      if (graph.children.contains(a, b) || graph.children.contains(b, a) ||
          random.uniform() < 0.5) {
        start.push_back({a, b});
      }
    }
    const TestedGraph result = rai(judge, start, ArcRules(n_nodes), kCorrected, control);
    CHECK(skeleton_of(result.graph) == skeleton_of(dag));
    CHECK(start.empty() || result.counts.tests[0] == start.size());
  }
}

void check_knowledge(Random& random) {
  NoControl control;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n_nodes = 2 + random.below(9);
    const EdgeList dag = random_dag(n_nodes, 0.35, random);
    const Digraph graph(n_nodes, dag.view());
    const ArcRules rules = true_rules(graph, random);
    SeparationJudge judge(graph);
    const TestedGraph result = rai(judge, all_pairs(n_nodes), rules, kCorrected, control);
    CHECK(result.graph.conflicts.empty());
    check_obeys(result.graph, dag, graph, rules);
  }
}

// Checks that the graph extends to a DAG and obeys the rules, whatever the answers.
void check_contradictions(Random& random) {
  NoControl control;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n_nodes = 1 + random.below(9);
    RandomJudge judge(n_nodes, 0.05 + 0.3 * random.uniform(), random.below(1 << 30));
    const EdgeList dag = random_dag(n_nodes, 0.3, random);
    const ArcRules rules =
        round % 2 == 0 ? ArcRules(n_nodes) : true_rules(Digraph(n_nodes, dag.view()), random);
    const RaiOptions options{
        .variant = round % 3 == 0 ? RaiVariant::kPublished : RaiVariant::kCorrected,
        .max_order = random.below(6),
        .on_order = {}};
    const TestedGraph result = rai(judge, all_pairs(n_nodes), rules, options, control);
    CHECK(result.status == Status::kComplete);
    CHECK(result.counts.tests.size() <= options.max_order + 1);
    check_extends(result.graph, n_nodes);
    for (const auto& [tail, head] : result.graph.directed) CHECK(rules.allows(tail, head));
    for (const auto& [a, b] : result.graph.undirected) {
      CHECK(rules.allows(a, b) && rules.allows(b, a) && !rules.must_join(a, b));
    }
    const auto skeleton = skeleton_of(result.graph);
    for (const auto& [a, b] : all_pairs(n_nodes)) {
      if (rules.must_join(a, b)) CHECK(skeleton.contains({a, b}));
    }
    check_weakest(judge, result);
  }
}

void check_stops() {
  RandomJudge judge(9, 0.05, 3);
  const ArcRules rules(9);
  NoControl control;
  for (const RaiOptions& options : {kCorrected, kPublished}) {
    const TestedGraph whole = rai(judge, all_pairs(9), rules, options, control);
    bool finished = false;
    for (int polls = 1; !finished; ++polls) {
      StopAt stop(polls);
      const TestedGraph result = rai(judge, all_pairs(9), rules, options, stop);
      check_extends(result.graph, 9);
      finished = result.status == Status::kComplete;
      if (finished) CHECK(result.graph.directed == whole.graph.directed);
      CHECK(polls < 1000);
    }
  }
}

}  // namespace

int main() {
  Random random(11);
  check_truth(random);
  check_published(random);
  check_start(random);
  check_knowledge(random);
  check_contradictions(random);
  check_stops();
  return 0;
}
