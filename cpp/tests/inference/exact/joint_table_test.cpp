#include "credenet/inference/exact/joint_table.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "small_network.hpp"

using credenet::joint_table;
using credenet::Node;
using credenet::Random;

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// Checks a joint table against the sum over all joint states of the network.
void check_joint(const SmallNetwork& network, const std::vector<Node>& variables) {
  std::size_t n_cells = 1;
  for (const Node variable : variables) n_cells *= network.view().states_of(variable);
  std::vector<double> expected(n_cells, 0.0);
  std::vector<std::size_t> row(network.size(), 0);
  for (bool is_last = false; !is_last;) {
    double probability = 1;
    for (std::size_t v = 0; v < network.size(); ++v) {
      probability *= network.tables[network.cell(v, row)];
    }
    std::size_t cell = 0;
    for (const Node variable : variables) {
      const auto v = static_cast<std::size_t>(variable);
      cell = cell * static_cast<std::size_t>(network.n_states[v]) + row[v];
    }
    expected[cell] += probability;
    is_last = true;
    for (std::size_t v = network.size(); v-- > 0 && is_last;) {
      row[v] = (row[v] + 1) % static_cast<std::size_t>(network.n_states[v]);
      is_last = row[v] == 0;
    }
  }
  std::vector<double> found(n_cells, -1.0);
  CHECK(joint_table(network.view(), variables, kNoLimit, found));
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    CHECK(std::abs(found[cell] - expected[cell]) < 1e-12);
    CHECK((found[cell] == 0) == (expected[cell] == 0));
  }
  CHECK(!joint_table(network.view(), variables, 1.0, found));
}

}  // namespace

int main() {
  Random random(7);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const SmallNetwork network(1 + random.below(7), 3, random);
    std::vector<Node> variables;
    for (std::size_t v = 0; v < network.size(); ++v) {
      if (random.below(2) != 0) continue;
      const auto place =
          variables.begin() + static_cast<std::ptrdiff_t>(random.below(variables.size() + 1));
      variables.insert(place, static_cast<Node>(v));  // Variables come in any order.
    }
    if (!variables.empty()) check_joint(network, variables);
  }
  return 0;
}
