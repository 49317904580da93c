#include "credenet/credible/class_index.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "check.hpp"
#include "credenet/graphs/cpdag.hpp"
#include "families/networks_of_lists.hpp"
#include "families/random_lists.hpp"

using credenet::ClassIndex;
using credenet::FamilyLists;
using credenet::Random;

namespace {

// A class as its CPDAG: directed edges as they are, others with the smaller end first.
std::set<std::pair<int, std::pair<int, int>>> cpdag(const FamilyLists& lists,
                                                    const std::vector<std::int64_t>& families) {
  std::vector<credenet::Node> from;
  std::vector<credenet::Node> to;
  for (std::size_t child = 0; child < families.size(); ++child) {
    for (const std::int32_t parent : lists.parents_of(static_cast<std::size_t>(families[child]))) {
      from.push_back(parent);
      to.push_back(static_cast<credenet::Node>(child));
    }
  }
  const auto compelled = credenet::compelled_edges(families.size(), {from, to});
  std::set<std::pair<int, std::pair<int, int>>> edges;
  for (std::size_t e = 0; e < from.size(); ++e) {
    const bool turned = compelled[e] == 0 && to[e] < from[e];
    edges.insert({compelled[e], turned ? std::pair{to[e], from[e]} : std::pair{from[e], to[e]}});
  }
  return edges;
}

}  // namespace

int main() {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 2 + random.below(5);
    const RandomLists drawn(random, n, 10, 3);
    const FamilyLists lists = drawn.view();
    ClassIndex index(n);
    std::map<std::set<std::pair<int, std::pair<int, int>>>, std::size_t> known;
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> numbers;
    for (int draw = 0; draw < 400; ++draw) {
      std::vector<std::int32_t> positions;
      std::vector<std::int64_t> families;
      for (std::size_t v = 0; v < n; ++v) {
        positions.push_back(static_cast<std::int32_t>(random.below(lists.end(v) - lists.begin(v))));
        families.push_back(static_cast<std::int64_t>(lists.begin(v)) + positions.back());
      }
      if (!is_acyclic(lists, positions)) continue;
      const auto number = static_cast<std::size_t>(index.add(lists, {families, n})[0]);
      CHECK(number <= known.size());
      rows.insert(rows.end(), families.begin(), families.end());
      numbers.push_back(static_cast<std::int64_t>(number));
      CHECK(known.try_emplace(cpdag(lists, families), number).first->second == number);
    }
    CHECK(known.size() == index.size());
    CHECK(ClassIndex(n).add(lists, {rows, n}) == numbers);
  }
}
