#include "credenet/independence/separating_sets.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::Node;
using credenet::Random;
using credenet::SeparatingSets;

int main() {
  Random random(11);
  CHECK(!SeparatingSets(2).find(0, 1));
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t n = 2 + random.below(8);
    SeparatingSets sets(n);
    std::map<std::pair<Node, Node>, std::pair<std::vector<Node>, double>> expected;
    for (int step = 0; step < 30; ++step) {
      const auto a = static_cast<Node>(random.below(n));
      const auto b = static_cast<Node>(random.below(n));
      if (a == b) continue;
      std::vector<Node> given;
      for (Node node = 0; node < static_cast<Node>(n); ++node) {
        if (node != a && node != b && random.below(3) == 0) given.push_back(node);
      }
      const double association = random.uniform();
      sets.record(a, b, given, association);
      expected[std::minmax(a, b)] = {given, association};
    }
    for (Node a = 0; a < static_cast<Node>(n); ++a) {
      for (Node b = 0; b < static_cast<Node>(n); ++b) {
        if (a == b) continue;
        const auto entry = expected.find(std::minmax(a, b));
        const auto found = sets.find(a, b);
        CHECK(found.has_value() == (entry != expected.end()));
        if (!found) continue;
        CHECK(std::ranges::equal(*found, entry->second.first));
        CHECK(sets.association(a, b) == entry->second.second);
        for (Node node = 0; node < static_cast<Node>(n); ++node) {
          CHECK(sets.separates(a, b, node) ==
                (std::ranges::find(entry->second.first, node) != entry->second.first.end()));
        }
      }
    }
  }
}
