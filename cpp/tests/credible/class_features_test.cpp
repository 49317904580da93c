#include "credenet/credible/class_features.hpp"

#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"
#include "families/every_network.hpp"
#include "stop_at.hpp"

using credenet::class_sizes;
using credenet::ClassPairSums;
using credenet::FamilyLists;
using credenet::Natural;
using credenet::NoControl;
using credenet::Random;

namespace {

using Arcs = std::set<std::pair<std::size_t, std::size_t>>;
// The skeleton, and the unshielded colliders as (child, (parent, parent)).
using Class =
    std::pair<Arcs, std::set<std::pair<std::size_t, std::pair<std::size_t, std::size_t>>>>;

Class class_of(const Arcs& arcs) {
  Class result;
  for (const auto& [a, b] : arcs) result.first.insert(std::minmax(a, b));
  for (const auto& [a, child] : arcs) {
    for (const auto& [b, other] : arcs) {
      if (other == child && a < b && !result.first.contains({a, b})) {
        result.second.insert({child, {a, b}});
      }
    }
  }
  return result;
}

// All DAGs of n variables.
struct EveryDag {
  explicit EveryDag(std::size_t n) : families(n) {
    const FamilyLists lists = families.view();
    for_each_network(lists, [&](const std::vector<double>& x) {
      Arcs own;
      for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
          if (x[family] == 0) continue;
          rows.push_back(static_cast<std::int64_t>(family));
          for (const std::int32_t p : lists.parents_of(family)) {
            own.insert({static_cast<std::size_t>(p), v});
          }
        }
      }
      classes[class_of(own)].push_back(arcs.size());
      arcs.push_back(std::move(own));
    });
  }

  AllFamilies families;
  std::vector<std::int64_t> rows;
  std::vector<Arcs> arcs;
  std::map<Class, std::vector<std::size_t>> classes;
};

void check_sums(const EveryDag& dags, std::size_t n, Random& random) {
  std::vector<double> weights;
  for (std::size_t dag = 0; dag < dags.arcs.size(); ++dag) {
    // Whole numbers, so that sums are exact.
    weights.push_back(static_cast<double>(random.below(1000)));
  }
  std::vector<std::uint8_t> children;
  for (std::size_t v = 0; v < n; ++v) children.push_back(random.below(3) != 0);
  std::vector<double> directed(n * n, 0.0);
  std::vector<double> undirected(n * n, 0.0);
  for (const auto& [key, members] : dags.classes) {
    for (const std::size_t dag : members) {
      for (const auto& [a, b] : dags.arcs[dag]) {
        if (children[b] == 0) continue;
        bool all = true;
        for (const std::size_t other : members) all = all && dags.arcs[other].contains({a, b});
        const auto [low, high] = std::minmax(a, b);
        (all ? directed[a * n + b] : undirected[low * n + high]) += weights[dag];
      }
    }
  }
  NoControl control;
  for (const unsigned n_threads : {1U, 3U}) {
    ClassPairSums sums(n);
    CHECK(sums.add(dags.families.view(), {dags.rows, n}, weights, children, n_threads, control));
    CHECK(sums.directed() == directed);
    CHECK(sums.undirected() == undirected);
  }
}

void check_sizes(const EveryDag& dags, std::size_t n) {
  std::vector<Natural> expected(dags.arcs.size());
  for (const auto& [key, members] : dags.classes) {
    for (const std::size_t dag : members) expected[dag] = members.size();
  }
  NoControl control;
  const std::vector<std::uint8_t> all(n, 1);
  for (const unsigned n_threads : {1U, 3U}) {
    CHECK(class_sizes(dags.families.view(), {dags.rows, n}, all, n_threads, control) == expected);
  }
}

}  // namespace

int main() {
  Random random(4);
  for (std::size_t n = 1; n <= 5; ++n) {
    const EveryDag dags(n);
    check_sizes(dags, n);
    check_sums(dags, n, random);
    if (n < 5) continue;
    CHECK(dags.arcs.size() == 29281 && dags.classes.size() == 8782);
    const std::vector<std::uint8_t> all(n, 1);
    StopAt stop(2);
    CHECK(class_sizes(dags.families.view(), {dags.rows, n}, all, 1, stop).empty());
    StopAt again(2);
    ClassPairSums sums(n);
    const std::vector<double> weights(dags.arcs.size(), 1.0);
    CHECK(!sums.add(dags.families.view(), {dags.rows, n}, weights, all, 1, again));
  }
  // If only some of the children count, so do only the edges between these: here two edges that are
  // apart.
  AllFamilies four(4);
  const FamilyLists lists = four.view();
  // The families of 0 -> 1 and 2 -> 3 have the bits 0, 1, 0, 100.
  std::vector<std::int64_t> row;
  for (std::size_t v = 0; v < 4; ++v) {
    for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
      const auto parents = lists.parents_of(family);
      const bool wanted =
          v % 2 == 0 ? parents.empty()
                     : parents.size() == 1 && parents[0] == static_cast<std::int32_t>(v) - 1;
      if (wanted) row.push_back(static_cast<std::int64_t>(family));
    }
  }
  NoControl control;
  const std::vector<std::uint8_t> first{1, 1, 0, 0};
  CHECK(class_sizes(lists, {row, 4}, first, 1, control) == std::vector<Natural>{2});

  // Rows of other lists are refused: too short, a family of another variable, none, or a cycle.
  for (const unsigned n_threads : {1U, 3U}) {
    const auto refused = [&](const std::vector<std::int64_t>& other, std::size_t n) {
      const std::vector<std::uint8_t> all(n, 1);
      const std::vector<double> weights(1, 1.0);
      ClassPairSums sums(n);
      CHECK_THROWS(class_sizes(lists, {other, n}, all, n_threads, control), std::invalid_argument);
      CHECK_THROWS(sums.add(lists, {other, n}, weights, all, n_threads, control),
                   std::invalid_argument);
    };
    const auto n_families = static_cast<std::int64_t>(lists.scores.size());
    refused({row[0], row[1], row[2]}, 3);
    refused({row[1], row[0], row[2], row[3]}, 4);
    refused({row[0], row[1], row[2], n_families}, 4);
    refused({row[0], row[1], row[2], -1}, 4);
    refused({row[0] + 1, row[1], row[2], row[3]}, 4);  // The edges are 1 -> 0 and 0 -> 1.
  }
}
