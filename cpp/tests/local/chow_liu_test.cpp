#include "credenet/local/chow_liu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "credenet/counts/row_table.hpp"
#include "local/data_information.hpp"
#include "small_data.hpp"
#include "stop_at.hpp"

using credenet::chow_liu;
using credenet::ChowLiuTree;
using credenet::NoControl;
using credenet::Random;
using credenet::RowTable;
using credenet::Status;

namespace {

// The best total over all choices of parents that make a tree rooted at the first variable.
double best_tree(const std::vector<std::vector<double>>& weights, std::vector<std::size_t>& parents,
                 std::size_t v) {
  const std::size_t n = weights.size();
  if (v == n) {
    double sum = 0;
    for (std::size_t child = 1; child < n; ++child) {
      std::size_t at = child;
      for (std::size_t steps = 0; at != 0; ++steps) {
        if (steps == n) return -std::numeric_limits<double>::infinity();
        at = parents[at];
      }
      sum += weights[child][parents[child]];
    }
    return sum;
  }
  double best = -std::numeric_limits<double>::infinity();
  for (parents[v] = 0; parents[v] < n; ++parents[v]) {
    if (parents[v] != v) best = std::max(best, best_tree(weights, parents, v + 1));
  }
  return best;
}

void test_against_all_trees() {
  Random random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t n = 1 + random.below(5);
    SmallData<std::uint8_t> data(60, n, 3, 0.6, random);
    if (trial % 3 == 0) data.draw_weights(random);
    const RowTable rows(data.codes.data(), 60, n, data.weights);
    std::vector<std::uint8_t> allowed(n * n, 1);
    std::vector<std::vector<double>> weights(n, std::vector<double>(n, 0.0));
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const bool is_allowed = trial % 2 == 0 || random.below(4) != 0;
        allowed[a * n + b] = allowed[b * n + a] = is_allowed ? 1 : 0;
        // A forbidden edge stands for no edge.
        if (!is_allowed) continue;
        weights[a][b] = weights[b][a] =
            data_information(data, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
      }
    }
    const std::size_t root = random.below(n);
    NoControl control;
    const ChowLiuTree tree = chow_liu(rows, root, allowed, 1 + trial % 3, control);
    CHECK(tree.status == Status::kComplete);
    CHECK(tree.parents[root] == -1);
    double sum = 0;
    for (std::size_t v = 0; v < n; ++v) {
      if (tree.parents[v] < 0) {
        CHECK(tree.information[v] == 0);
        continue;
      }
      const auto parent = static_cast<std::size_t>(tree.parents[v]);
      CHECK(allowed[v * n + parent] != 0);
      CHECK(std::abs(tree.information[v] - weights[v][parent]) < 1e-9);
      sum += tree.information[v];
      std::size_t at = v;
      for (std::size_t steps = 0; tree.parents[at] >= 0; ++steps) {
        CHECK(steps < n);
        at = static_cast<std::size_t>(tree.parents[at]);
      }
      if (trial % 2 == 0) CHECK(at == root);
    }
    std::vector<std::size_t> parents(n, 0);
    CHECK(std::abs(sum - best_tree(weights, parents, 1)) < 1e-9);
  }
}

void test_stops() {
  Random random(2);
  const SmallData<std::uint8_t> data(50, 6, 2, 0.6, random);
  const RowTable rows(data.codes.data(), 50, 6, {});
  StopAt control(3);
  const ChowLiuTree tree = chow_liu(rows, 0, {}, 1, control);
  CHECK(tree.status == Status::kStopped);
  CHECK(std::ranges::count(tree.parents, -1) == 4);
}

}  // namespace

int main() {
  test_against_all_trees();
  test_stops();
}
