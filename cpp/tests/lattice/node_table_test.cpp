#include "credenet/lattice/node_table.hpp"

#include <map>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::NodeState;
using credenet::NodeTable;
using credenet::OrderNode;
using credenet::Random;

int main() {
  Random random(3);
  NodeTable table;
  std::map<std::uint64_t, std::uint32_t> expected;
  CHECK(table.find(5) == NodeTable::kAbsent);
  for (int step = 0; step < 30000; ++step) {
    const std::uint64_t set = random.below(std::uint64_t{1} << 16) << random.below(48);
    const auto known = expected.find(set);
    CHECK(table.find(set) == (known == expected.end() ? NodeTable::kAbsent : known->second));
    if (known != expected.end()) continue;
    OrderNode node;
    node.placed = set;
    node.loss = static_cast<double>(step);
    const std::uint32_t at = table.insert(node);
    CHECK(at == expected.size());
    expected.emplace(set, at);
    CHECK(table.size() == expected.size());
  }
  for (const auto& [set, at] : expected) CHECK(table.find(set) == at && table[at].placed == set);
  CHECK(table.bytes(table.size()) >= table.size() * sizeof(OrderNode));
  CHECK(table.bytes(table.size()) < 3 * table.size() * sizeof(OrderNode));
  OrderNode node;
  CHECK(!node.is_closed());
  node.state = NodeState::kClosedOld;
  CHECK(node.is_closed());
}
