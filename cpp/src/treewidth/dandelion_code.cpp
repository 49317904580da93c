// Uniform k-trees (Caminiti, Fusco and Petreschi, 2010). Seen from a clique of k variables, the
// root, a k-tree is a tree: each other variable has as parent the variable inserted last in its
// clique, or the root itself, and a label says which member of the parent's clique is missing from
// its own. The root is taken as the clique of the largest leaf; then this leaf needs no pair. What
// is left is a tree, and a tree corresponds to a function by Foata's bijection: the path from 1 to
// the root becomes cycles, cut at its right-to-left maxima.
#include "credenet/treewidth/dandelion_code.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>

namespace credenet {
namespace {

using Pair = DandelionCode::Pair;
constexpr std::size_t kNode = 1;  // This node has no pair, like the largest leaf.

// The largest of 1 to n_nodes that is no parent.
std::size_t largest_leaf(const std::vector<Pair>& pairs, std::size_t n_nodes) {
  std::vector<std::uint8_t> is_parent(n_nodes + 1, 0);
  for (const Pair& pair : pairs) is_parent[static_cast<std::size_t>(pair.parent)] = 1;
  std::size_t leaf = n_nodes;
  while (is_parent[leaf] != 0) --leaf;
  return leaf;
}

// The largest members of the cycles, descending.
std::vector<std::size_t> cycle_maxima(const std::vector<Pair>& pairs) {
  std::vector<std::size_t> maxima;
  // The node at which the walk through each node began.
  std::vector<std::size_t> seen_from(pairs.size(), 0);
  for (std::size_t first = 1; first < pairs.size(); ++first) {
    std::size_t at = first;
    while (at != 0 && seen_from[at] == 0) {
      seen_from[at] = first;
      at = static_cast<std::size_t>(pairs[at].parent);
    }
    if (at == 0 || seen_from[at] != first) continue;
    const std::size_t begin = at;
    std::size_t largest = at;
    do {
      at = static_cast<std::size_t>(pairs[at].parent);
      largest = std::max(largest, at);
    } while (at != begin);
    maxima.push_back(largest);
  }
  std::ranges::sort(maxima, std::greater<>());
  return maxima;
}

// The pairs of a tree with the nodes 1 to n_nodes; what is at 0 is not used.
std::vector<Pair> tree_of(const std::vector<Pair>& code, std::size_t n_nodes) {
  std::vector<Pair> pairs(n_nodes + 1);
  const std::size_t leaf = largest_leaf(code, n_nodes);
  std::size_t next = 0;
  for (std::size_t node = 1; node <= n_nodes; ++node) {
    if (node != kNode && node != leaf) pairs[node] = code[next++];
  }
  std::size_t before = kNode;
  for (const std::size_t largest : cycle_maxima(pairs)) {
    std::swap(pairs[before], pairs[largest]);
    before = largest;
  }
  return pairs;
}

}  // namespace

KTree decode(const DandelionCode& code, std::size_t n_variables) {
  const std::size_t k = code.root.size();
  const std::size_t n_nodes = n_variables - k;
  std::vector<std::int32_t> variables{-1};  // Variables of the nodes.
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(n_variables); ++v) {
    if (!std::ranges::binary_search(code.root, v)) variables.push_back(v);
  }
  const std::vector<Pair> pairs = tree_of(code.pairs, n_nodes);
  std::vector<std::vector<std::size_t>> children(n_nodes + 1);
  for (std::size_t node = 1; node <= n_nodes; ++node) {
    children[static_cast<std::size_t>(pairs[node].parent)].push_back(node);
  }
  std::vector<std::int32_t> first = code.root;
  first.push_back(variables[children[0].front()]);
  KTree tree(n_variables, k, first);
  std::vector<std::vector<std::int32_t>> cliques(n_nodes + 1);
  std::vector<std::size_t> waiting{0};
  while (!waiting.empty()) {
    const std::size_t above = waiting.back();
    waiting.pop_back();
    for (const std::size_t node : children[above]) {
      std::vector<std::int32_t>& clique = cliques[node];
      clique = above == 0 ? code.root : cliques[above];
      if (above != 0) {
        clique.erase(clique.begin() + pairs[node].label - 1);
        clique.insert(std::ranges::lower_bound(clique, variables[above]), variables[above]);
      }
      if (node != children[0].front()) tree.insert(variables[node], clique);
      waiting.push_back(node);
    }
  }
  return tree;
}

std::vector<std::int32_t> sample_variables(std::size_t n_variables, std::size_t size,
                                           Random& random) {
  std::vector<std::int32_t> all(n_variables);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t at = 0; at < size; ++at) {
    std::swap(all[at], all[at + random.below(n_variables - at)]);
  }
  all.resize(size);
  std::ranges::sort(all);
  return all;
}

DandelionCode draw_dandelion_code(std::size_t n_variables, std::size_t k, Random& random) {
  assert(k < n_variables);
  DandelionCode code{sample_variables(n_variables, k, random), {}};
  for (std::size_t at = 0; at + k + 2 < n_variables; ++at) {
    const std::uint64_t drawn = random.below(k * (n_variables - k) + 1);
    if (drawn == 0) {
      code.pairs.push_back({});
    } else {
      code.pairs.push_back({static_cast<std::int32_t>((drawn - 1) / k + 1),
                            static_cast<std::int32_t>((drawn - 1) % k + 1)});
    }
  }
  return code;
}

KTree sample_k_tree(std::size_t n_variables, std::size_t k, Random& random) {
  return decode(draw_dandelion_code(n_variables, k, random), n_variables);
}

}  // namespace credenet
