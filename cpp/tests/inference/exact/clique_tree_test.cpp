#include "credenet/inference/exact/clique_tree.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "check.hpp"
#include "credenet/inference/exact/relevance.hpp"
#include "inference/random_query.hpp"

using namespace credenet;

namespace {

bool has_all(const std::vector<Node>& members, const std::set<Node>& wanted) {
  return std::ranges::all_of(
      wanted, [&](Node node) { return std::ranges::find(members, node) != members.end(); });
}

// Checks that every scope is in a clique, and that the cliques with a variable are connected.
void check_tree(const CliqueTree& tree, const Case& query) {
  const FactorsView view = query.factors.view();
  for (std::size_t factor = 0; factor < view.n_factors(); ++factor) {
    if (!tree.relevant[factor]) continue;
    std::set<Node> scope;
    for (const Node variable : view.scope(factor)) {
      if (!query.observed[static_cast<std::size_t>(variable)]) scope.insert(variable);
    }
    CHECK(scope.empty() || std::ranges::any_of(tree.cliques, [&](const Clique& clique) {
            return has_all(clique.members, scope);
          }));
  }
  std::size_t width = 0;
  double cells = 0;
  for (std::size_t id = 0; id < tree.cliques.size(); ++id) {
    const Clique& clique = tree.cliques[id];
    width = std::max(width, clique.members.size() - 1);
    double own = 1;
    for (const Node member : clique.members) own *= static_cast<double>(view.states_of(member));
    cells += own;
    const std::set<Node> separator(
        clique.members.begin(),
        clique.members.begin() + static_cast<std::ptrdiff_t>(clique.n_separator));
    CHECK(clique.parent >= 0 || separator.empty());
    if (clique.parent < 0) continue;
    const Clique& parent = tree.cliques[static_cast<std::size_t>(clique.parent)];
    CHECK(has_all(parent.members, separator));
    CHECK(std::ranges::find(parent.children, static_cast<std::int32_t>(id)) !=
          parent.children.end());
  }
  CHECK(tree.width == width && near(tree.cells, cells));
  // A variable is summed out in one clique, and in no separator above it.
  for (std::size_t variable = 0; variable < query.size(); ++variable) {
    std::size_t n_homes = 0;
    for (const Clique& clique : tree.cliques) {
      const auto place = std::ranges::find(clique.members, static_cast<Node>(variable));
      if (place == clique.members.end()) continue;
      const auto at = static_cast<std::size_t>(place - clique.members.begin());
      if (at >= clique.n_separator) ++n_homes;
    }
    CHECK(n_homes == (tree.clique_of[variable] >= 0 ? 1U : 0U));
  }
}

}  // namespace

int main() {
  Random random(14);
  NoControl control;
  for (int trial = 0; trial < 200; ++trial) {
    const Factors factors =
        trial % 2 == 0 ? Factors(SmallNetwork(7, 3, random)) : Factors(7, 9, 3.0, random);
    const Case query(factors, trial % 2 == 0, random);
    std::vector<Node> targets = query.free();
    while (!targets.empty() && random.below(3) == 0) targets.pop_back();
    const bool whole = random.below(2) == 0;
    const QueryShape shape{query.observed, query.weighted, targets, false, query.directed, whole};
    std::vector<Node> order;
    if (random.below(2) == 0) {
      order.resize(query.size());
      std::iota(order.begin(), order.end(), 0);
    }
    const CliqueTree tree = clique_tree(factors.view(), shape, order, 1, control);
    CHECK(tree.relevant == relevant_factors(factors.view(), shape));
    check_tree(tree, query);
    for (const Node target : targets) CHECK(tree.clique_of[static_cast<std::size_t>(target)] >= 0);
  }
}
