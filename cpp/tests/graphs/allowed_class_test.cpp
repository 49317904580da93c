// The test compares the class with all orientations of the skeleton, one after the other.
#include "credenet/graphs/allowed_class.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "credenet/graphs/cpdag.hpp"
#include "credenet/graphs/topological_order.hpp"
#include "credenet/util/random.hpp"
#include "random_graphs.hpp"

using credenet::Adjacency;
using credenet::allowed_class_size;
using credenet::compelled_edges;
using credenet::Digraph;
using credenet::Edges;
using credenet::Natural;
using credenet::NoControl;
using credenet::Node;
using credenet::ParentRules;
using credenet::Random;

namespace {

auto colliders(std::size_t n, const EdgeList& dag) {
  const Edges edges = dag.view();
  return credenet::unshielded_colliders(Adjacency(n, dag.to, dag.from),
                                        Adjacency::symmetric(n, {&edges, 1}));
}

bool obeys(std::size_t n, const EdgeList& dag, const ParentRules& rules) {
  std::vector<std::int32_t> parents(n, 0);
  for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
    const auto child = static_cast<std::size_t>(dag.to[edge]);
    ++parents[child];
    if (!rules.possible.empty() &&
        rules.possible[child * n + static_cast<std::size_t>(dag.from[edge])] == 0) {
      return false;
    }
  }
  for (std::size_t node = 0; node < n && !rules.max_parents.empty(); ++node) {
    if (parents[node] > rules.max_parents[node]) return false;
  }
  return true;
}

void check(std::size_t n, const EdgeList& dag, const ParentRules& rules) {
  const auto own = colliders(n, dag);
  std::vector<std::uint8_t> is_turned(dag.from.size(), 0);
  std::uint64_t size = 0;
  for (std::size_t turned = 0; turned < (std::size_t{1} << dag.from.size()); ++turned) {
    EdgeList other = dag;
    for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
      if ((turned >> edge & 1) != 0) std::swap(other.from[edge], other.to[edge]);
    }
    if (topological_order(Digraph(n, other.view())).size() != n) continue;
    if (colliders(n, other) != own || !obeys(n, other, rules)) continue;
    ++size;
    for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
      if ((turned >> edge & 1) != 0) is_turned[edge] = 1;
    }
  }
  const auto compelled = compelled_edges(n, dag.view(), rules);
  for (std::size_t edge = 0; edge < dag.from.size(); ++edge) {
    CHECK(compelled[edge] != is_turned[edge]);
  }
  NoControl control;
  CHECK(*allowed_class_size(n, dag.view(), rules, control) == Natural(size));
}

}  // namespace

int main() {
  Random random(3);
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t n = 2 + random.below(4);
    const EdgeList dag = random_dag(n, 0.4 + 0.6 * random.uniform(), random);
    const Adjacency parents(n, dag.to, dag.from);
    std::vector<std::uint8_t> possible(n * n);
    for (auto& cell : possible) cell = random.below(4) != 0 ? 1 : 0;
    std::vector<std::int32_t> limits(n);
    for (std::size_t node = 0; node < n; ++node) {
      for (const Node parent : parents[static_cast<Node>(node)]) {
        possible[node * n + static_cast<std::size_t>(parent)] = 1;
      }
      limits[node] =
          static_cast<std::int32_t>(parents[static_cast<Node>(node)].size() + random.below(3));
    }
    check(n, dag, {});
    check(n, dag, {possible, {}});
    check(n, dag, {{}, limits});
    check(n, dag, {possible, limits});
    const std::vector<std::int32_t> same(n, *std::max_element(limits.begin(), limits.end()));
    check(n, dag, {possible, same});
  }
}
