// The part of a Markov equivalence class that obeys rules on parents. Rules on single edges direct
// reversible edges of the CPDAG, and Meek's rules find all that follows from them (Meek 1995).
//
// A limit on the number of parents may direct more. Within a component of reversible edges, the
// parents of a node in an equivalent DAG form a clique with it, all nodes have the same parents
// outside, and a largest clique has one node to which the others are parents. So the largest number
// of parents in the component is the same in all equivalent DAGs, and only limits below it matter.
// Where there are such limits, each edge that is left is tried the other way round.
#include "credenet/graphs/allowed_class.hpp"

#include <algorithm>
#include <utility>

#include "credenet/graphs/cpdag.hpp"
#include "credenet/graphs/meek.hpp"
#include "credenet/graphs/orientations.hpp"

namespace credenet {
namespace {

// The edges of a DAG whose label is the one given.
struct EdgeList {
  std::vector<Node> from;
  std::vector<Node> to;

  EdgeList(Edges edges, std::span<const std::uint8_t> labels, std::uint8_t label) {
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      if (labels[edge] != label) continue;
      from.push_back(edges.from[edge]);
      to.push_back(edges.to[edge]);
    }
  }

  [[nodiscard]] Edges edges() const { return {from, to}; }
};

bool is_possible(const ParentRules& rules, std::size_t n_nodes, Node parent, Node child) {
  return rules.possible.empty() || rules.possible[static_cast<std::size_t>(child) * n_nodes +
                                                  static_cast<std::size_t>(parent)] != 0;
}

// The number of heads of edges at each node.
std::vector<std::int32_t> in_degrees(std::size_t n_nodes, std::span<const Node> heads) {
  std::vector<std::int32_t> degrees(n_nodes, 0);
  for (const Node head : heads) ++degrees[static_cast<std::size_t>(head)];
  return degrees;
}

// Directs reversible edges whose reverse is not possible, and edges that follow from them.
void direct_by_edges(std::size_t n_nodes, Edges edges, const ParentRules& rules,
                     std::vector<std::uint8_t>& compelled) {
  const auto must_stay = [&](std::size_t edge) {
    return is_possible(rules, n_nodes, edges.from[edge], edges.to[edge]) &&
           !is_possible(rules, n_nodes, edges.to[edge], edges.from[edge]);
  };
  std::vector<std::size_t> fixed;
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    if (compelled[edge] == 0 && must_stay(edge)) fixed.push_back(edge);
  }
  if (fixed.empty()) return;
  const EdgeList directed(edges, compelled, 1);
  const EdgeList reversible(edges, compelled, 0);
  MixedGraph graph(n_nodes, directed.edges(), reversible.edges());
  std::vector<std::size_t> slots;
  for (const std::size_t edge : fixed) {
    slots.push_back(graph.skeleton().slot(edges.from[edge], edges.to[edge]));
    graph.orient(slots.back());
  }
  (void)close_under_meek(graph, std::move(slots));
  const auto marks = graph.marks(edges);
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    if (marks[edge] == MixedGraph::Mark::kOut) compelled[edge] = 1;
  }
}

// The number of the connected component of each node, from 0.
std::vector<std::size_t> component_numbers(const Adjacency& undirected) {
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> numbers(undirected.n_nodes(), kNone);
  std::size_t n_components = 0;
  for (std::size_t start = 0; start < numbers.size(); ++start) {
    if (numbers[start] != kNone) continue;
    numbers[start] = n_components;
    std::vector<Node> waiting{static_cast<Node>(start)};
    while (!waiting.empty()) {
      const Node node = waiting.back();
      waiting.pop_back();
      for (const Node other : undirected[node]) {
        if (numbers[static_cast<std::size_t>(other)] != kNone) continue;
        numbers[static_cast<std::size_t>(other)] = n_components;
        waiting.push_back(other);
      }
    }
    ++n_components;
  }
  return numbers;
}

// Directs the edges that limits on the number of parents leave no choice of. The labels of a CPDAG
// are those without rules.
void direct_by_limits(std::size_t n_nodes, Edges edges, const ParentRules& rules,
                      std::span<const std::uint8_t> cpdag, std::vector<std::uint8_t>& compelled) {
  const EdgeList fixed(edges, cpdag, 1);
  const EdgeList reversible(edges, cpdag, 0);
  if (reversible.from.empty()) return;
  const Edges undirected = reversible.edges();
  const Adjacency neighbours = Adjacency::symmetric(n_nodes, {&undirected, 1});
  const auto outside = in_degrees(n_nodes, fixed.to);
  const auto parents = in_degrees(n_nodes, edges.to);
  const auto component = component_numbers(neighbours);
  std::vector<std::int32_t> most(n_nodes, 0);  // Largest number of parents in each component.
  for (std::size_t node = 0; node < n_nodes; ++node) {
    most[component[node]] = std::max(most[component[node]], parents[node]);
  }
  std::vector<std::uint8_t> is_limited(n_nodes, 0);  // Whether a limit matters in each component.
  std::vector<std::int32_t> room(n_nodes);
  for (std::size_t node = 0; node < n_nodes; ++node) {
    const auto around = static_cast<std::int32_t>(neighbours[static_cast<Node>(node)].size());
    room[node] = rules.max_parents[node] - outside[node];
    if (room[node] < around && rules.max_parents[node] < most[component[node]]) {
      is_limited[component[node]] = 1;
    }
  }
  NoControl control;
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    const std::size_t own = component[static_cast<std::size_t>(edges.to[edge])];
    if (compelled[edge] != 0 || is_limited[own] == 0) continue;
    std::vector<Node> from;
    std::vector<Node> to;
    for (std::size_t other = 0; other < undirected.size(); ++other) {
      if (component[static_cast<std::size_t>(undirected.from[other])] != own) continue;
      from.push_back(undirected.from[other]);
      to.push_back(undirected.to[other]);
    }
    const Edges inside{from, to};
    const auto reversed =
        count_orientations(Adjacency::symmetric(n_nodes, {&inside, 1}),
                           {rules.possible, room, {edges.from[edge], edges.to[edge]}}, control);
    if (*reversed == Natural(0)) compelled[edge] = 1;
  }
}

}  // namespace

std::vector<std::uint8_t> compelled_edges(std::size_t n_nodes, Edges edges,
                                          const ParentRules& rules) {
  std::vector<std::uint8_t> compelled = compelled_edges(n_nodes, edges);
  if (rules.empty()) return compelled;
  const std::vector<std::uint8_t> cpdag = compelled;
  direct_by_edges(n_nodes, edges, rules, compelled);
  if (!rules.max_parents.empty()) direct_by_limits(n_nodes, edges, rules, cpdag, compelled);
  return compelled;
}

std::optional<Natural> allowed_class_size(std::size_t n_nodes, Edges edges,
                                          const ParentRules& rules, Control& control) {
  const std::vector<std::uint8_t> compelled = compelled_edges(n_nodes, edges);
  const EdgeList reversible(edges, compelled, 0);
  const Edges undirected = reversible.edges();
  const Adjacency neighbours = Adjacency::symmetric(n_nodes, {&undirected, 1});
  if (rules.empty()) return count_orientations(neighbours, control);
  std::vector<std::int32_t> room;
  if (!rules.max_parents.empty()) {
    const EdgeList fixed(edges, compelled, 1);
    room = in_degrees(n_nodes, fixed.to);
    for (std::size_t node = 0; node < n_nodes; ++node) {
      room[node] = rules.max_parents[node] - room[node];
    }
  }
  return count_orientations(neighbours, {rules.possible, room}, control);
}

}  // namespace credenet
