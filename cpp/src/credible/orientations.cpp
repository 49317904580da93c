// Connected parts are directed independently. An orientation of a connected part has one source,
// which directs edges away from it, level by level; edges within a level are directed where a
// collider would arise otherwise, and what stays undirected are parts of the same kind (He, Jia and
// Yu, JMLR 2015). A part is all of the graph between its nodes, so counts are kept by sets of
// nodes.
#include "credenet/credible/orientations.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <unordered_map>

namespace credenet {
namespace {

constexpr std::size_t kMostNodes = 64;

std::uint64_t bit(std::size_t node) { return std::uint64_t{1} << node; }

std::size_t first(std::uint64_t set) { return static_cast<std::size_t>(std::countr_zero(set)); }

using Neighbours = std::array<std::uint64_t, kMostNodes>;

class Counter {
 public:
  explicit Counter(std::span<const std::uint64_t> neighbours) : neighbours_(neighbours) {}

  // The product over the connected parts of some nodes with the edges given; 0 if too large.
  std::uint64_t count_parts(std::uint64_t nodes, const Neighbours& edges) {
    std::uint64_t product = 1;
    while (nodes != 0) {
      std::uint64_t part = bit(first(nodes));
      for (std::uint64_t grown = 0; grown != part;) {
        grown = part;
        for (std::uint64_t rest = grown; rest != 0; rest &= rest - 1) part |= edges[first(rest)];
      }
      nodes &= ~part;
      const std::uint64_t orientations = count_part(part);
      if (orientations == 0 || __builtin_mul_overflow(product, orientations, &product)) return 0;
    }
    return product;
  }

 private:
  std::uint64_t count_part(std::uint64_t part) {
    const auto n = static_cast<std::uint64_t>(std::popcount(part));
    std::uint64_t ends = 0;
    for (std::uint64_t rest = part; rest != 0; rest &= rest - 1) {
      ends += static_cast<std::uint64_t>(std::popcount(neighbours_[first(rest)] & part));
    }
    if (ends == 2 * (n - 1)) return n;  // a tree, directed by its root
    if (ends == n * (n - 1)) return factorial(n);
    if (const auto known = counts_.find(part); known != counts_.end()) return known->second;
    std::uint64_t sum = 0;
    for (std::uint64_t rest = part; rest != 0; rest &= rest - 1) {
      const std::uint64_t orientations = count_from(part, first(rest));
      if (orientations == 0 || __builtin_add_overflow(sum, orientations, &sum)) {
        sum = 0;
        break;
      }
    }
    counts_.emplace(part, sum);
    return sum;
  }

  static std::uint64_t factorial(std::uint64_t n) {
    std::uint64_t product = 1;
    for (std::uint64_t k = 2; k <= n; ++k) {
      if (__builtin_mul_overflow(product, k, &product)) return 0;
    }
    return product;
  }

  // Those of a connected part in which a node is the source.
  std::uint64_t count_from(std::uint64_t part, std::size_t source) {
    Neighbours free{};     // undirected edges
    Neighbours parents{};  // those in the level above, or directed within the level
    std::uint64_t seen = bit(source);
    std::uint64_t above = 0;
    for (std::uint64_t level = seen; level != 0;) {
      std::uint64_t next = 0;
      for (std::uint64_t rest = level; rest != 0; rest &= rest - 1) {
        const std::size_t node = first(rest);
        const std::uint64_t around = neighbours_[node] & part;
        parents[node] = around & above;
        free[node] = around & level;
        next |= around & ~seen;
      }
      direct(level, parents, free);
      seen |= next;
      above = level;
      level = next;
    }
    return count_parts(part, free);
  }

  // a directs an edge to b if a parent of a is no neighbour of b.
  void direct(std::uint64_t level, Neighbours& parents, Neighbours& free) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint64_t tails = level; tails != 0; tails &= tails - 1) {
        const std::size_t tail = first(tails);
        for (std::uint64_t heads = free[tail]; heads != 0; heads &= heads - 1) {
          const std::size_t head = first(heads);
          if ((parents[tail] & ~neighbours_[head]) == 0) continue;
          free[tail] &= ~bit(head);
          free[head] &= ~bit(tail);
          parents[head] |= bit(tail);
          changed = true;
        }
      }
    }
  }

  std::span<const std::uint64_t> neighbours_;
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
};

}  // namespace

std::uint64_t count_orientations(std::span<const std::uint64_t> neighbours) {
  assert(neighbours.size() <= kMostNodes);
  Neighbours edges{};
  std::uint64_t nodes = 0;
  for (std::size_t node = 0; node < neighbours.size(); ++node) {
    edges[node] = neighbours[node];
    if (neighbours[node] != 0) nodes |= bit(node);
  }
  return Counter(neighbours).count_parts(nodes, edges);
}

}  // namespace credenet
