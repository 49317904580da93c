#include "credenet/graphs/adjacency.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "check.hpp"
#include "graphs/random_graphs.hpp"

using namespace credenet;

namespace {

using Sets = std::vector<std::set<Node>>;

void check_lists(const Adjacency& lists, const Sets& expected) {
  CHECK(lists.n_nodes() == expected.size());
  std::size_t n_slots = 0;
  for (std::size_t at = 0; at < expected.size(); ++at) {
    const auto node = static_cast<Node>(at);
    CHECK(std::ranges::equal(lists[node], expected[at]));
    CHECK(lists.begin_slot(node) == n_slots);
    for (std::size_t other = 0; other < expected.size(); ++other) {
      const auto target = static_cast<Node>(other);
      CHECK(lists.contains(node, target) == expected[at].contains(target));
      const std::size_t slot = lists.slot(node, target);
      if (slot != Adjacency::kNoSlot) CHECK(lists.target(slot) == target);
    }
    n_slots += expected[at].size();
    CHECK(lists.end_slot(node) == n_slots);
  }
  CHECK(lists.n_slots() == n_slots);
}

}  // namespace

int main() {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 1 + random.below(9);
    const EdgeList first = random_dag(n, 0.4, random);
    EdgeList parts[2];
    Sets children(n);
    Sets parents(n);
    Sets both(n);
    for (std::size_t edge = 0; edge < first.from.size(); ++edge) {
      const Node tail = first.from[edge];
      const Node head = first.to[edge];
      children[static_cast<std::size_t>(tail)].insert(head);
      parents[static_cast<std::size_t>(head)].insert(tail);
      both[static_cast<std::size_t>(tail)].insert(head);
      both[static_cast<std::size_t>(head)].insert(tail);
      parts[random.below(2)].add(tail, head);
    }
    check_lists(Adjacency(n, first.from, first.to), children);
    const Digraph graph(n, first.view());
    CHECK(graph.n_nodes() == n);
    check_lists(graph.parents, parents);
    check_lists(graph.children, children);
    check_lists(Adjacency::symmetric(n, std::array{parts[0].view(), parts[1].view()}), both);
  }
}
