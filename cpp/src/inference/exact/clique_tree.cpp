// From an elimination order to a clique tree. Eliminating v joins what is left of the scopes and
// separators whose first variable is v; the earliest of its other members says where the separator
// goes next. A clique that equals the separator of one before it is absorbed by that one, unless
// too much would then be summed out at once.
#include "credenet/inference/exact/clique_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "credenet/graphs/elimination.hpp"
#include "credenet/inference/exact/relevance.hpp"

namespace credenet {
namespace {

using Scopes = std::vector<std::vector<Node>>;

// Joint states of the variables summed out in one clique: they are listed when states are traced
// back or drawn. A larger clique gets a parent within itself, which costs little.
constexpr std::size_t kMostResidual = 4096;

Scopes free_scopes(const FactorsView& factors, const QueryShape& query,
                   std::span<const std::uint8_t> relevant) {
  Scopes scopes;
  for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
    if (!relevant[factor]) continue;
    std::vector<Node> scope;
    for (const Node variable : factors.scope(factor)) {
      if (!query.observed[static_cast<std::size_t>(variable)]) scope.push_back(variable);
    }
    if (!scope.empty()) scopes.push_back(std::move(scope));
  }
  for (const Node target : query.targets) scopes.push_back({target});
  if (!query.directed && query.whole_evidence) {
    // A variable that no factor has still counts: the sum is over its states too.
    for (std::size_t variable = 0; variable < factors.n_variables(); ++variable) {
      if (!query.observed[variable]) scopes.push_back({static_cast<Node>(variable)});
    }
  }
  if (query.joint && !query.targets.empty()) {
    scopes.emplace_back(query.targets.begin(), query.targets.end());
  }
  return scopes;
}

// The undirected graph of the scopes over the variables that take part, numbered densely.
struct Graph {
  std::vector<Node> variables;
  std::vector<std::int32_t> n_states;
  std::vector<Node> from, to;

  Graph(const FactorsView& factors, const Scopes& scopes, std::span<const std::uint8_t> left_out) {
    std::vector<Node> number(factors.n_variables(), -1);
    for (const auto& scope : scopes) {
      for (const Node variable : scope) number[static_cast<std::size_t>(variable)] = 0;
    }
    for (std::size_t variable = 0; variable < number.size(); ++variable) {
      if (number[variable] < 0 || left_out[variable]) {
        number[variable] = -1;
        continue;
      }
      number[variable] = static_cast<Node>(variables.size());
      variables.push_back(static_cast<Node>(variable));
      n_states.push_back(factors.n_states[variable]);
    }
    std::vector<std::uint64_t> pairs;
    for (const auto& scope : scopes) {
      for (std::size_t a = 0; a < scope.size(); ++a) {
        const Node first = number[static_cast<std::size_t>(scope[a])];
        for (std::size_t b = a + 1; b < scope.size() && first >= 0; ++b) {
          const Node second = number[static_cast<std::size_t>(scope[b])];
          if (second < 0) continue;
          const auto low = static_cast<std::uint64_t>(std::min(first, second));
          pairs.push_back(low << 32 | static_cast<std::uint64_t>(std::max(first, second)));
        }
      }
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const std::uint64_t pair : pairs) {
      from.push_back(static_cast<Node>(pair >> 32));
      to.push_back(static_cast<Node>(pair & 0xFFFFFFFFU));
    }
  }
};

// Restarts pay as long as they cost little beside the propagation: an order takes about n^2 steps.
std::vector<Node> best_order(const Graph& graph, unsigned n_threads, Control& control) {
  constexpr std::size_t kMostRestarts = 64;
  constexpr std::uint64_t kSeed = 1;
  const std::size_t n = graph.variables.size();
  const Edges edges{graph.from, graph.to};
  const auto make = [&](EliminationRule rule, std::size_t n_restarts) {
    const bool is_long = static_cast<double>(n_restarts * n * n) > 1e6;
    return elimination_order(n, edges, graph.n_states, rule, n_restarts, kSeed,
                             is_long ? n_threads : 1, control);
  };
  Elimination best = make(EliminationRule::kMinWeight, 1);
  const auto consider = [&](Elimination other) {
    if (other.log2_table_size < best.log2_table_size) best = std::move(other);
  };
  consider(make(EliminationRule::kMinFill, 1));
  const double cost_of_one = 4 * static_cast<double>(n * n) + 1000;
  const double affordable = 0.2 * std::exp2(best.log2_table_size) / cost_of_one;
  const auto n_restarts =
      static_cast<std::size_t>(std::min(affordable, static_cast<double>(kMostRestarts)));
  if (n_restarts > 1) {
    consider(make(EliminationRule::kMinFill, n_restarts));
    consider(make(EliminationRule::kMinWeight, n_restarts));
  }
  std::vector<Node> order;
  order.reserve(n);
  for (const Node node : best.order)
    order.push_back(graph.variables[static_cast<std::size_t>(node)]);
  return order;
}

// Orders the summed variables first, as far as their tables stay small: the best of some min-weight
// orders.
std::vector<Node> sums_first(const Graph& graph, const QueryShape& query, double log2_most,
                             unsigned n_threads, Control& control) {
  constexpr std::size_t kRestarts = 8;
  constexpr std::uint64_t kSeed = 1;
  std::vector<std::uint8_t> last;
  for (const Node variable : graph.variables) last.push_back(query.is_maximised(variable) ? 1 : 0);
  Elimination best = elimination_order(graph.variables.size(), {graph.from, graph.to},
                                       graph.n_states, EliminationRule::kMinWeight, kRestarts,
                                       kSeed, n_threads, control, last, log2_most);
  for (Node& node : best.order) node = graph.variables[static_cast<std::size_t>(node)];
  return std::move(best.order);
}

// Makes the cliques. The last n_joint variables of the order share a scope and end up in one root.
void build_cliques(const FactorsView& factors, const QueryShape& query, const Scopes& scopes,
                   std::span<const Node> order, std::size_t n_joint, CliqueTree& tree) {
  for (std::size_t at = 0; at < order.size(); ++at) {
    tree.position[static_cast<std::size_t>(order[at])] = static_cast<std::int32_t>(at);
  }
  const auto position = [&](Node variable) {
    return tree.position[static_cast<std::size_t>(variable)];
  };
  std::vector<std::vector<std::size_t>> scopes_at(order.size());
  for (std::size_t scope = 0; scope < scopes.size(); ++scope) {
    const Node first = std::ranges::min(scopes[scope], {}, position);
    scopes_at[static_cast<std::size_t>(position(first))].push_back(scope);
  }
  std::vector<std::vector<std::int32_t>> cliques_at(order.size());
  // Joint states of the variables summed out in each clique.
  std::vector<std::size_t> residual_cells;
  std::vector<std::size_t> seen(tree.position.size(), ~std::size_t{0});
  for (std::size_t at = 0; at < order.size(); ++at) {
    const Node variable = order[at];
    const std::size_t n_states = factors.states_of(variable);
    std::vector<Node> members;
    const auto add = [&](Node member) {
      std::size_t& mark = seen[static_cast<std::size_t>(member)];
      if (mark != at) members.push_back(member);
      mark = at;
    };
    add(variable);
    for (const std::size_t scope : scopes_at[at]) std::ranges::for_each(scopes[scope], add);
    std::int32_t home = -1;
    for (const std::int32_t id : cliques_at[at]) {
      const Clique& before = tree.cliques[static_cast<std::size_t>(id)];
      std::for_each_n(before.members.begin(), before.n_separator, add);
    }
    for (const std::int32_t id : cliques_at[at]) {
      const Clique& before = tree.cliques[static_cast<std::size_t>(id)];
      const std::size_t residual = residual_cells[static_cast<std::size_t>(id)];
      if (before.n_separator != members.size() || residual * n_states > kMostResidual ||
          before.is_maximised != query.is_maximised(variable)) {
        continue;
      }
      if (home < 0 ||
          before.members.size() < tree.cliques[static_cast<std::size_t>(home)].members.size()) {
        home = id;
      }
    }
    if (at + n_joint > order.size()) {
      home = tree.clique_of[static_cast<std::size_t>(order[at - 1])];
    }
    if (home >= 0) {
      --tree.cliques[static_cast<std::size_t>(home)].n_separator;
      residual_cells[static_cast<std::size_t>(home)] *= n_states;
    } else {
      home = static_cast<std::int32_t>(tree.cliques.size());
      std::ranges::sort(members, std::greater{}, position);
      tree.cliques.push_back({members, members.size() - 1, -1, {}, query.is_maximised(variable)});
      residual_cells.push_back(n_states);
    }
    for (const std::int32_t id : cliques_at[at]) {
      if (id == home) continue;
      tree.cliques[static_cast<std::size_t>(id)].parent = home;
      tree.cliques[static_cast<std::size_t>(home)].children.push_back(id);
    }
    tree.clique_of[static_cast<std::size_t>(variable)] = home;
    const Clique& clique = tree.cliques[static_cast<std::size_t>(home)];
    if (clique.n_separator > 0) {
      const Node next = clique.members[clique.n_separator - 1];
      cliques_at[static_cast<std::size_t>(position(next))].push_back(home);
    }
  }
}

void measure(const FactorsView& factors, CliqueTree& tree) {
  for (const Clique& clique : tree.cliques) {
    tree.width = std::max(tree.width, clique.members.size() - 1);
    double separator = 1;
    double cells = 1;
    for (std::size_t at = 0; at < clique.members.size(); ++at) {
      cells *= static_cast<double>(factors.states_of(clique.members[at]));
      if (at + 1 == clique.n_separator) separator = cells;
    }
    tree.separator_cells += separator;
    tree.cells += cells;
    tree.largest = std::max(tree.largest, cells);
  }
}

}  // namespace

CliqueTree clique_tree(const FactorsView& factors, const QueryShape& query,
                       std::span<const Node> order, unsigned n_threads, Control& control,
                       double log2_most) {
  assert(query.maximised.empty() || !query.joint);
  CliqueTree tree;
  tree.position.assign(factors.n_variables(), -1);
  tree.clique_of.assign(factors.n_variables(), -1);
  tree.relevant = relevant_factors(factors, query);
  const Scopes scopes = free_scopes(factors, query, tree.relevant);

  // The targets of a joint go last, which leaves their table in the root.
  std::vector<std::uint8_t> last(factors.n_variables(), 0);
  if (query.joint) {
    for (const Node target : query.targets) last[static_cast<std::size_t>(target)] = 1;
  }
  std::vector<Node> used;
  if (order.empty() && !query.maximised.empty()) {
    used = sums_first(Graph(factors, scopes, last), query, log2_most, n_threads, control);
  } else if (order.empty()) {
    used = best_order(Graph(factors, scopes, last), n_threads, control);
  } else {
    assert(order.size() == factors.n_variables());
    std::vector<std::uint8_t> present(factors.n_variables(), 0);
    for (const auto& scope : scopes) {
      for (const Node variable : scope) present[static_cast<std::size_t>(variable)] = 1;
    }
    for (const Node variable : order) {
      const auto at = static_cast<std::size_t>(variable);
      if (present[at] && !last[at]) used.push_back(variable);
    }
    std::stable_partition(used.begin(), used.end(),
                          [&](Node variable) { return !query.is_maximised(variable); });
  }
  if (query.joint) used.insert(used.end(), query.targets.begin(), query.targets.end());
  build_cliques(factors, query, scopes, used, query.joint ? query.targets.size() : 0, tree);
  measure(factors, tree);
  return tree;
}

}  // namespace credenet
