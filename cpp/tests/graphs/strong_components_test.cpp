#include "credenet/graphs/strong_components.hpp"

#include "check.hpp"
#include "graphs/check_components.hpp"

using namespace credenet;

namespace {

using Groups = std::vector<std::vector<Node>>;

// The components of a graph, given by the list of what each node leads to.
Groups components(const std::vector<std::vector<Node>>& lists) {
  std::vector<std::int64_t> starts{0};
  std::vector<Node> targets;
  for (const std::vector<Node>& list : lists) {
    targets.insert(targets.end(), list.begin(), list.end());
    starts.push_back(static_cast<std::int64_t>(targets.size()));
  }
  return strong_components(starts, targets);
}

void check_random_graphs() {
  Random random(7);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::size_t n = 1 + random.below(15);
    std::vector<std::vector<Node>> lists(n);
    EdgeList edges;
    for (std::size_t edge = random.below(2 * n + 1); edge > 0; --edge) {
      const auto tail = static_cast<Node>(random.below(n));  // Loops and repeated arcs come too.
      lists[tail].push_back(static_cast<Node>(random.below(n)));
      edges.add(tail, lists[tail].back());
    }
    check_components(n, edges, components(lists));
  }
}

// Checks graphs as deep as there are nodes: a path, and the cycle that an arc back makes of it.
void check_deep_graphs() {
  constexpr Node kNodes = 1'000'000;
  std::vector<std::vector<Node>> lists(kNodes);
  for (Node node = 0; node + 1 < kNodes; ++node) lists[node].push_back(node + 1);
  const Groups path = components(lists);
  CHECK(path.size() == kNodes);
  CHECK(path.front().front() == kNodes - 1 && path.back().front() == 0);
  lists.back().push_back(0);
  CHECK(components(lists).size() == 1);
}

}  // namespace

int main() {
  CHECK(components({}).empty());
  CHECK((components({{1}, {2, 3}, {0}, {}}) == Groups{{3}, {0, 1, 2}}));
  check_random_graphs();
  check_deep_graphs();
  return 0;
}
