#include "credenet/independence/node_bits.hpp"

#include <set>
#include <utility>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::Node;
using credenet::NodeBits;
using credenet::Random;

int main() {
  Random random(7);
  for (const std::size_t n : {1, 5, 64, 65, 130}) {
    NodeBits bits(n);
    std::vector<std::set<Node>> expected(n);
    const auto draw = [&] { return static_cast<Node>(random.below(n)); };
    for (int step = 0; step < 2000; ++step) {
      const Node row = draw();
      const Node node = draw();
      if (random.below(3) == 0) {
        bits.erase(row, node);
        expected[static_cast<std::size_t>(row)].erase(node);
      } else {
        bits.insert(row, node);
        expected[static_cast<std::size_t>(row)].insert(node);
      }
    }
    CHECK(bits.n_nodes() == n);
    for (Node row = 0; row < static_cast<Node>(n); ++row) {
      const std::set<Node>& own = expected[static_cast<std::size_t>(row)];
      CHECK(bits.count(row) == own.size());
      std::vector<Node> visited;
      bits.for_each(row, [&](Node node) { visited.push_back(node); });
      CHECK(visited == std::vector<Node>(own.begin(), own.end()));
      for (Node node = 0; node < static_cast<Node>(n); ++node) {
        CHECK(bits.contains(row, node) == own.contains(node));
      }
      const Node other = draw();
      std::vector<Node> common;
      for (const Node node : own) {
        if (expected[static_cast<std::size_t>(other)].contains(node)) common.push_back(node);
      }
      visited.clear();
      NodeBits::for_each_common(std::as_const(bits).row(row), std::as_const(bits).row(other),
                                [&](Node node) { visited.push_back(node); });
      CHECK(visited == common);
    }
  }
}
