#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <vector>

#include "check.hpp"
#include "credenet/graphs/cpdag.hpp"
#include "credenet/independence/arc_rules.hpp"
#include "credenet/independence/judge.hpp"
#include "credenet/independence/orientation.hpp"
#include "credenet/independence/tested_graph.hpp"
#include "graphs/random_graphs.hpp"

using credenet::Answer;
using credenet::ArcRule;
using credenet::ArcRules;
using credenet::Control;
using credenet::Digraph;
using credenet::Judge;
using credenet::Node;
using credenet::Orientation;
using credenet::Question;
using credenet::Random;
using credenet::TestedGraph;
using credenet::WeakestAnswer;

// A judge with any answers, but always the same to the same question.
class RandomJudge final : public Judge {
 public:
  RandomJudge(std::size_t n_variables, double independent, std::uint64_t seed)
      : n_variables_(n_variables), independent_(independent), seed_(seed) {}

  [[nodiscard]] std::size_t n_variables() const override { return n_variables_; }
  [[nodiscard]] Answer answer(Node x, Node y, std::span<const Node> given) const {
    std::uint64_t hash = seed_;
    const auto mix = [&](std::uint64_t value) {
      hash = (std::rotl(hash, 17) ^ value) * 0x9E3779B97F4A7C15ULL;
    };
    mix(static_cast<std::uint64_t>(std::min(x, y)));
    mix(static_cast<std::uint64_t>(std::max(x, y)));
    for (const Node variable : given) mix(static_cast<std::uint64_t>(variable) + 1000);
    Random random(hash);
    const double drawn = random.uniform();
    return {.association = drawn, .independent = drawn < independent_};
  }
  [[nodiscard]] bool answer(std::span<const Question> questions, std::span<Answer> answers,
                            Control& control) override {
    if (!control.poll({})) return false;
    for (std::size_t at = 0; at < questions.size(); ++at) {
      const auto& [x, y, given] = questions[at];
      CHECK(std::ranges::is_sorted(given));
      CHECK(std::ranges::find(given, x) == given.end() &&
            std::ranges::find(given, y) == given.end());
      answers[at] = answer(x, y, given);
    }
    return true;
  }

 private:
  std::size_t n_variables_;
  double independent_;
  std::uint64_t seed_;
};

// Checks that the graph is the class of a DAG: its compelled arcs and the other edges.
inline void check_class(const EdgeList& dag, std::size_t n_nodes, const Orientation& found) {
  std::vector<std::array<Node, 2>> directed;
  std::vector<std::array<Node, 2>> undirected;
  const auto compelled = compelled_edges(n_nodes, dag.view());
  for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
    if (compelled[edge] != 0) {
      directed.push_back({dag.from[edge], dag.to[edge]});
    } else {
      undirected.push_back(
          {std::min(dag.from[edge], dag.to[edge]), std::max(dag.from[edge], dag.to[edge])});
    }
  }
  std::ranges::sort(directed);
  std::ranges::sort(undirected);
  CHECK(found.directed == directed);
  CHECK(found.undirected == undirected);
  CHECK(found.conflicts.empty());
}

// The pairs of neighbours, the smaller one first.
inline std::set<std::array<Node, 2>> skeleton_of(const Orientation& found) {
  std::set<std::array<Node, 2>> edges;
  for (const auto* pairs : {&found.directed, &found.undirected}) {
    for (const auto& [a, b] : *pairs) edges.insert({std::min(a, b), std::max(a, b)});
  }
  return edges;
}

inline std::set<std::array<Node, 2>> skeleton_of(const EdgeList& dag) {
  std::set<std::array<Node, 2>> edges;
  for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
    edges.insert({std::min(dag.from[edge], dag.to[edge]), std::max(dag.from[edge], dag.to[edge])});
  }
  return edges;
}

// Checks that what is told of each edge is an answer of the judge's.
inline void check_weakest(const RandomJudge& judge, const TestedGraph& result) {
  for (const WeakestAnswer& weakest : result.weakest) {
    const Answer answer = judge.answer(weakest.a, weakest.b, weakest.given);
    CHECK(!answer.independent && answer.association == weakest.association);
  }
}

// Rules that hold in a DAG.
inline ArcRules true_rules(const Digraph& graph, Random& random) {
  const std::size_t n_nodes = graph.n_nodes();
  ArcRules rules(n_nodes);
  for (Node a = 0; a < static_cast<Node>(n_nodes); ++a) {
    for (Node b = 0; b < static_cast<Node>(n_nodes); ++b) {
      if (a == b) continue;
      if (graph.children.contains(a, b)) {
        if (random.uniform() < 0.2) {
          rules.set(a, b, ArcRule::kRequired);
          rules.set(b, a, ArcRule::kForbidden);
        }
      } else if (random.uniform() < 0.3) {
        rules.set(a, b, ArcRule::kForbidden);
      }
    }
  }
  return rules;
}

// Checks that the skeleton is that of the DAG, every arc is one of its arcs, and the rules are
// obeyed.
inline void check_obeys(const Orientation& found, const EdgeList& dag, const Digraph& graph,
                        const ArcRules& rules) {
  for (const auto& [tail, head] : found.directed) CHECK(graph.children.contains(tail, head));
  for (const auto& [a, b] : found.undirected) {
    CHECK(!rules.must_join(a, b) && rules.allows(a, b) && rules.allows(b, a));
  }
  CHECK(skeleton_of(found) == skeleton_of(dag));
}
