#include "credenet/credible/network_features.hpp"

#include <cmath>
#include <map>
#include <vector>

#include "check.hpp"
#include "families/networks_of_lists.hpp"
#include "families/random_lists.hpp"

using credenet::FamilyLists;
using credenet::PathSums;
using credenet::Random;

int main() {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = trial % 10 == 0 ? 70 : 1 + random.below(7);
    const RandomLists drawn(random, n, 6, n == 70 ? 1 : 3);
    const FamilyLists lists = drawn.view();
    PathSums sums(n);
    std::vector<double> paths(n * n, 0.0);
    std::vector<std::map<std::vector<std::int32_t>, double>> blankets(n);
    std::vector<std::int64_t> rows;
    std::vector<double> weights;
    for (int draw = 0; draw < 40; ++draw) {
      std::vector<std::int32_t> positions;
      std::vector<std::int64_t> families;
      for (std::size_t v = 0; v < n; ++v) {
        const std::size_t position =
            n == 70 && random.below(2) == 0 ? 0 : random.below(lists.end(v) - lists.begin(v));
        positions.push_back(static_cast<std::int32_t>(position));
        families.push_back(static_cast<std::int64_t>(lists.begin(v) + position));
      }
      if (!is_acyclic(lists, positions)) continue;
      const double weight = 1.0 + static_cast<double>(random.below(100)) / 7;
      sums.add(lists, {families, n}, {&weight, 1});
      rows.insert(rows.end(), families.begin(), families.end());
      weights.push_back(weight);
      // The flag reaches[b * n + a] means a path from a to b, by closing under steps; near is by
      // definition.
      std::vector<bool> reaches(n * n, false);
      std::vector<bool> near(n * n, false);
      for (std::size_t child = 0; child < n; ++child) {
        const auto parents = lists.parents_of(static_cast<std::size_t>(families[child]));
        for (const std::int32_t p : parents) {
          const auto parent = static_cast<std::size_t>(p);
          reaches[child * n + parent] = true;
          near[child * n + parent] = near[parent * n + child] = true;
          for (const std::int32_t q : parents) {
            if (q != p) near[parent * n + static_cast<std::size_t>(q)] = true;
          }
        }
      }
      for (std::size_t middle = 0; middle < n; ++middle) {
        for (std::size_t b = 0; b < n; ++b) {
          for (std::size_t a = 0; a < n; ++a) {
            if (reaches[b * n + middle] && reaches[middle * n + a]) reaches[b * n + a] = true;
          }
        }
      }
      for (std::size_t at = 0; at < n * n; ++at) {
        if (reaches[at]) paths[at] += weight;
      }
      for (std::size_t v = 0; v < n; ++v) {
        std::vector<std::int32_t> expected;
        for (std::size_t other = 0; other < n; ++other) {
          if (near[v * n + other]) expected.push_back(static_cast<std::int32_t>(other));
        }
        const auto found = credenet::markov_blankets(lists, {families, n}, {&weight, 1}, v);
        CHECK((found == std::map<std::vector<std::int32_t>, double>{{expected, weight}}));
        blankets[v][expected] += weight;
      }
    }
    for (std::size_t v = 0; v < n; ++v) {
      CHECK(credenet::markov_blankets(lists, {rows, n}, weights, v) == blankets[v]);
    }
    PathSums together(n);
    together.add(lists, {rows, n}, weights);
    CHECK(together.sums() == sums.sums());
    for (std::size_t at = 0; at < n * n; ++at) {
      CHECK(std::abs(paths[at] - sums.sums()[at]) < 1e-9);
    }
  }
}
