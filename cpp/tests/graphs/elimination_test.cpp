#include "credenet/graphs/elimination.hpp"

#include <cmath>
#include <set>

#include "check.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;

namespace {

// The width of an order, which is replayed on sets of neighbours.
std::size_t width_of(std::size_t n_nodes, const EdgeList& edges, const std::vector<Node>& order) {
  std::vector<std::set<Node>> around(n_nodes);
  for (std::size_t edge = 0; edge < edges.from.size(); ++edge) {
    around[edges.from[edge]].insert(edges.to[edge]);
    around[edges.to[edge]].insert(edges.from[edge]);
  }
  std::size_t width = 0;
  for (const Node node : order) {
    width = std::max(width, around[node].size());
    for (const Node a : around[node]) {
      around[a].erase(node);
      for (const Node b : around[node]) {
        if (a != b) around[a].insert(b);
      }
    }
  }
  return width;
}

}  // namespace

int main() {
  NoControl control;
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    const std::size_t n_nodes = 1 + random.below(90);
    const EdgeList edges = random_dag(n_nodes, 0.1, random);
    std::vector<std::int32_t> n_states(n_nodes);
    for (auto& number : n_states) number = static_cast<std::int32_t>(1 + random.below(9));
    for (const auto rule : {EliminationRule::kMinFill, EliminationRule::kMinWeight}) {
      const auto run = [&](std::size_t n_restarts, unsigned n_threads) {
        return elimination_order(n_nodes, edges.view(), n_states, rule, n_restarts, 9, n_threads,
                                 control);
      };
      const Elimination one = run(1, 1);
      const Elimination many = run(8, 1);
      CHECK(one.width == width_of(n_nodes, edges, one.order));
      CHECK(many.width == width_of(n_nodes, edges, many.order));
      CHECK(run(8, 4).order == many.order);
      if (rule == EliminationRule::kMinFill) {
        CHECK(many.width <= one.width);
      } else {
        CHECK(many.log2_table_size <= one.log2_table_size);
      }
    }
  }

  {  // A chain of three variables with 4 states each has 16 + 16 + 4 cells.
    const EdgeList chain{{0, 1}, {1, 2}};
    const std::vector<std::int32_t> n_states{4, 4, 4};
    const Elimination found =
        elimination_order(3, chain.view(), n_states, EliminationRule::kMinWeight, 1, 0, 1, control);
    CHECK((found.order == std::vector<Node>{0, 1, 2}));
    CHECK(found.width == 1);
    CHECK(std::abs(found.log2_table_size - std::log2(36.0)) < 1e-12);
  }
  return 0;
}
