#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "check.hpp"
#include "credenet/treewidth/k_tree.hpp"
#include "credenet/util/random.hpp"

// The smaller variable of each edge is first.
using Edges = std::set<std::pair<std::int32_t, std::int32_t>>;

inline Edges edges_of(const credenet::KTree& tree) {
  Edges edges;
  for (const std::int32_t v : tree.order()) {
    for (const std::int32_t other : tree.clique(v)) {
      edges.emplace(std::min(v, other), std::max(v, other));
    }
  }
  return edges;
}

inline bool is_clique(const Edges& edges, const std::vector<std::int32_t>& members) {
  for (const std::int32_t a : members) {
    for (const std::int32_t b : members) {
      if (a < b && !edges.contains({a, b})) return false;
    }
  }
  return true;
}

// Checks that every variable is inserted once and each is joined to a clique of k earlier ones, all
// by the edges alone.
inline void check_k_tree(const credenet::KTree& tree) {
  const std::size_t n = tree.n_variables();
  const std::size_t k = tree.k();
  std::vector<std::int32_t> sorted(tree.order().begin(), tree.order().end());
  std::ranges::sort(sorted);
  CHECK(sorted.size() == n);
  for (std::size_t v = 0; v < n; ++v) CHECK(sorted[v] == static_cast<std::int32_t>(v));
  const Edges edges = edges_of(tree);
  for (std::size_t place = 0; place < n; ++place) {
    std::vector<std::int32_t> earlier;
    for (std::size_t before = 0; before < place; ++before) {
      const auto [low, high] = std::minmax(tree.order()[before], tree.order()[place]);
      if (edges.contains({low, high})) earlier.push_back(tree.order()[before]);
    }
    CHECK(earlier.size() == std::min(place, k));
    CHECK(is_clique(edges, earlier));
  }
  CHECK(edges.size() == k * (k + 1) / 2 + (n - k - 1) * k);
}

// Draws symmetric weights, hardly two of them equal, whose sums are without rounding.
inline std::vector<double> draw_weights(std::size_t n, credenet::Random& random) {
  std::vector<double> weights(n * n, 0.0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      weights[a * n + b] = weights[b * n + a] =
          static_cast<double>(random.below(1 << 20)) * 0x1p-20;
    }
  }
  return weights;
}
