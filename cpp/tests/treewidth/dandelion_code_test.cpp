#include "credenet/treewidth/dandelion_code.hpp"

#include <bit>
#include <map>
#include <set>
#include <vector>

#include "check.hpp"
#include "treewidth/every_code.hpp"
#include "treewidth/k_tree_checks.hpp"

using credenet::DandelionCode;
using credenet::decode;
using credenet::draw_dandelion_code;
using credenet::KTree;
using credenet::Random;

namespace {

std::size_t n_subsets(std::size_t n, std::size_t k) {
  std::size_t count = 0;
  for (std::size_t set = 0; set < std::size_t{1} << n; ++set) {
    if (static_cast<std::size_t>(std::popcount(set)) == k) ++count;
  }
  return count;
}

void test_codes_and_k_trees_correspond() {
  for (const auto& [n, k] : std::vector<std::pair<std::size_t, std::size_t>>{{2, 1},
                                                                             {3, 1},
                                                                             {4, 1},
                                                                             {5, 1},
                                                                             {6, 1},
                                                                             {7, 1},
                                                                             {3, 2},
                                                                             {4, 2},
                                                                             {5, 2},
                                                                             {6, 2},
                                                                             {4, 3},
                                                                             {5, 3},
                                                                             {6, 3},
                                                                             {7, 3},
                                                                             {6, 4},
                                                                             {7, 4},
                                                                             {7, 5},
                                                                             {1, 0},
                                                                             {4, 0}}) {
    std::set<Edges> found;
    std::size_t n_codes = 0;
    for_each_code(n, k, [&, n = n, k = k](const DandelionCode& code) {
      const KTree tree = decode(code, n);
      CHECK(tree.k() == k);
      check_k_tree(tree);
      found.insert(edges_of(tree));
      ++n_codes;
    });
    if (n == k + 1) {
      CHECK(found.size() == 1);
      continue;
    }
    std::size_t expected = n_subsets(n, k);
    for (std::size_t at = 0; at + k + 2 < n; ++at) expected *= k * (n - k) + 1;
    CHECK(n_codes == expected);
    CHECK(found.size() == expected);
  }
}

// Checks that each of the 10 roots and of the 7 pairs, twice, comes in proportion: a fixed sample
// whose chi-square is far from the tail.
void test_codes_are_drawn_uniformly() {
  Random random(1);
  constexpr std::size_t kDraws = 60000;
  std::map<std::vector<std::int32_t>, std::size_t> counts;
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    const DandelionCode code = draw_dandelion_code(5, 2, random);
    CHECK(code.pairs.size() == 1);
    std::vector<std::int32_t> values = code.root;
    values.push_back(code.pairs[0].parent);
    values.push_back(code.pairs[0].label);
    ++counts[values];
  }
  CHECK(counts.size() == 10 * 7);
  const double expected = static_cast<double>(kDraws) / 70;
  double chi_square = 0;
  for (const auto& [values, count] : counts) {
    const double difference = static_cast<double>(count) - expected;
    chi_square += difference * difference / expected;
  }
  CHECK(chi_square < 104);  // The statistic has 69 degrees of freedom; 0.4 % is above.
}

void test_samples_are_k_trees() {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 1 + random.below(40);
    const std::size_t k = random.below(std::min<std::size_t>(n, 12));
    check_k_tree(credenet::sample_k_tree(n, k, random));
  }
}

}  // namespace

int main() {
  test_codes_and_k_trees_correspond();
  test_codes_are_drawn_uniformly();
  test_samples_are_k_trees();
}
