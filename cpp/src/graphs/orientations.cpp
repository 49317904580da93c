// Connected components are oriented independently. An orientation of a connected component has one
// source, which directs edges away from it, level by level; edges within a level are directed where
// a collider would arise otherwise, and what stays undirected are components of the same kind (He,
// Jia and Yu, JMLR 2015). Such a component has all edges of the graph between its nodes, so counts
// are kept by sets of nodes. All nodes of such a component have the same parents outside it. So
// under rules the count of a component depends on its nodes and on the number of these parents.
#include "credenet/graphs/orientations.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <limits>
#include <unordered_map>
#include <vector>

namespace credenet {
namespace {

constexpr std::size_t kWordBits = 64;

// A set of nodes; its words are an array of one for few nodes, a vector for many.
template <typename Words>
struct Nodes {
  Words words{};

  explicit Nodes(std::size_t n_nodes) {
    if constexpr (requires { words.resize(1); })
      words.resize((n_nodes + kWordBits - 1) / kWordBits);
  }

  void insert(std::size_t node) { words[node / kWordBits] |= bit(node); }
  void erase(std::size_t node) { words[node / kWordBits] &= ~bit(node); }
  [[nodiscard]] bool empty() const {
    for (const std::uint64_t word : words) {
      if (word != 0) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  [[nodiscard]] std::size_t first() const {
    std::size_t at = 0;
    while (words[at] == 0) ++at;
    return at * kWordBits + static_cast<std::size_t>(std::countr_zero(words[at]));
  }
  [[nodiscard]] bool is_subset_of(const Nodes& other) const {
    for (std::size_t at = 0; at < words.size(); ++at) {
      if ((words[at] & ~other.words[at]) != 0) return false;
    }
    return true;
  }
  Nodes& operator|=(const Nodes& other) {
    for (std::size_t at = 0; at < words.size(); ++at) words[at] |= other.words[at];
    return *this;
  }
  Nodes& operator-=(const Nodes& other) {
    for (std::size_t at = 0; at < words.size(); ++at) words[at] &= ~other.words[at];
    return *this;
  }
  [[nodiscard]] Nodes operator&(const Nodes& other) const {
    Nodes both = *this;
    for (std::size_t at = 0; at < words.size(); ++at) both.words[at] &= other.words[at];
    return both;
  }
  bool operator==(const Nodes&) const = default;

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t at = 0; at < words.size(); ++at) {
      for (std::uint64_t rest = words[at]; rest != 0; rest &= rest - 1) {
        visit(at * kWordBits + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  static std::uint64_t bit(std::size_t node) { return std::uint64_t{1} << (node % kWordBits); }
};

template <typename Words>
struct HashOfNodes {
  std::size_t operator()(const Nodes<Words>& nodes) const {
    std::uint64_t value = 0;
    for (const std::uint64_t word : nodes.words) {
      value = (std::rotl(value, 23) ^ word) * 0x9E3779B97F4A7C15ULL;
      value ^= value >> 29;
    }
    return value;
  }
};

// The rules on the nodes of one component; both lists are empty if there are none.
template <typename Words>
struct LocalRules {
  std::vector<Nodes<Words>> possible;  // Neighbours of each node that may be its parents.
  std::vector<std::int32_t> room;      // Most parents of each node.

  [[nodiscard]] bool empty() const { return possible.empty(); }
};

template <typename Words>
class Counter {
 public:
  using Set = Nodes<Words>;
  using Neighbours = std::vector<Set>;

  Counter(Neighbours neighbours, LocalRules<Words> rules, Control& control)
      : neighbours_(std::move(neighbours)),
        rules_(std::move(rules)),
        none_(neighbours_.size()),
        no_edges_(neighbours_.size(), none_),
        control_(control) {}

  std::optional<Natural> count() {
    Set nodes = none_;
    for (std::size_t node = 0; node < neighbours_.size(); ++node) {
      if (!neighbours_[node].empty()) nodes.insert(node);
    }
    Natural product = count_components(nodes, neighbours_, no_edges_, 0);
    return stopped_ ? std::nullopt : std::optional(std::move(product));
  }

 private:
  struct Key {
    Set nodes;
    std::size_t n_above;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const {
      return HashOfNodes<Words>()(key.nodes) ^ (key.n_above * 0x9E3779B97F4A7C15ULL);
    }
  };

  // The product of the counts of the connected components of some nodes with the edges given. A
  // node has the parents given, and n_above parents above.
  Natural count_components(Set nodes, const Neighbours& edges, const Neighbours& parents,
                           std::size_t n_above) {
    Natural product = 1;
    while (!nodes.empty() && !stopped_) {
      Set component = none_;
      component.insert(nodes.first());
      for (Set added = component; !added.empty();) {
        Set around = none_;
        added.for_each([&](std::size_t node) { around |= edges[node]; });
        around -= component;
        component |= around;
        added = std::move(around);
      }
      nodes -= component;
      const std::size_t own = rules_.empty() ? 0 : n_above + parents[component.first()].size();
      product *= count_component(component, own);
    }
    return product;
  }

  Natural count_component(const Set& component, std::size_t n_above) {
    if (rules_.empty()) {
      const std::size_t n = component.size();
      std::size_t ends = 0;
      component.for_each([&](std::size_t node) { ends += (neighbours_[node] & component).size(); });
      if (ends == 2 * (n - 1)) return n;  // A tree is directed by its root.
      if (ends == n * (n - 1)) return factorial(n);
    }
    Key key{component, n_above};
    if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
    Natural sum = 0;
    component.for_each([&](std::size_t source) {
      stopped_ = stopped_ || !control_.poll({});
      if (!stopped_ && has_room(source, n_above)) sum += count_from(component, source, n_above);
    });
    if (!stopped_) counts_.emplace(std::move(key), sum);
    return sum;
  }

  [[nodiscard]] bool has_room(std::size_t node, std::size_t n_parents) const {
    return rules_.empty() || static_cast<std::int64_t>(n_parents) <= rules_.room[node];
  }

  static Natural factorial(std::size_t n) {
    Natural product = 1;
    for (std::size_t k = 2; k <= n; ++k) product *= k;
    return product;
  }

  // The number of orientations of a connected component in which a node is the source.
  Natural count_from(const Set& component, std::size_t source, std::size_t n_above) {
    Neighbours free = no_edges_;     // Undirected edges that are left.
    Neighbours parents = no_edges_;  // Parents in the level above, or directed within the level.
    Set seen = none_;
    seen.insert(source);
    Set above = none_;
    for (Set level = seen; !level.empty();) {
      Set next = none_;
      level.for_each([&](std::size_t node) {
        const Set around = neighbours_[node] & component;
        parents[node] = around & above;
        free[node] = around & level;
        next |= around;
      });
      next -= seen;
      direct(level, parents, free);
      seen |= next;
      above = std::move(level);
      level = std::move(next);
    }
    if (!rules_.empty()) {
      bool allowed = true;
      component.for_each([&](std::size_t node) {
        allowed = allowed && parents[node].is_subset_of(rules_.possible[node]) &&
                  has_room(node, n_above + parents[node].size());
      });
      if (!allowed) return 0;
    }
    Set rest = component;
    rest.erase(source);  // The source has no free edge and no parent in the component.
    return count_components(rest, free, parents, n_above);
  }

  // Directs the edges of a level that must be: a directs an edge to b if a parent of a is no
  // neighbour of b.
  void direct(const Set& level, Neighbours& parents, Neighbours& free) const {
    for (bool changed = true; changed;) {
      changed = false;
      level.for_each([&](std::size_t tail) {
        Set(free[tail]).for_each([&](std::size_t head) {
          if (parents[tail].is_subset_of(neighbours_[head])) return;
          free[tail].erase(head);
          free[head].erase(tail);
          parents[head].insert(tail);
          changed = true;
        });
      });
    }
  }

  Neighbours neighbours_;
  LocalRules<Words> rules_;
  Set none_;
  Neighbours no_edges_;
  Control& control_;
  bool stopped_ = false;
  std::unordered_map<Key, Natural, HashOfKey> counts_;
};

using OneWord = std::array<std::uint64_t, 1>;

// Counts the orientations of a connected component, whose nodes are numbered anew: place is where
// each one stands in it.
template <typename Words>
std::optional<Natural> count_by(const Adjacency& undirected, std::span<const Node> component,
                                std::span<const std::size_t> place, const OrientationRules* rules,
                                Control& control) {
  const std::size_t n = component.size();
  std::vector<Nodes<Words>> neighbours(n, Nodes<Words>(n));
  for (std::size_t at = 0; at < n; ++at) {
    for (const Node other : undirected[component[at]]) {
      neighbours[at].insert(place[static_cast<std::size_t>(other)]);
    }
  }
  LocalRules<Words> local;
  if (rules != nullptr) {
    local.possible.assign(n, Nodes<Words>(n));
    local.room.assign(n, std::numeric_limits<std::int32_t>::max());
    for (std::size_t at = 0; at < n; ++at) {
      const auto child = static_cast<std::size_t>(component[at]);
      if (!rules->room.empty()) local.room[at] = rules->room[child];
      for (const Node parent : undirected[component[at]]) {
        const std::size_t cell = child * undirected.n_nodes() + static_cast<std::size_t>(parent);
        const bool is_possible = rules->possible.empty() || rules->possible[cell] != 0;
        if (is_possible && rules->excluded != std::array{parent, component[at]}) {
          local.possible[at].insert(place[static_cast<std::size_t>(parent)]);
        }
      }
    }
  }
  return Counter<Words>(std::move(neighbours), std::move(local), control).count();
}

std::optional<Natural> count_product(const Adjacency& undirected, const OrientationRules* rules,
                                     Control& control) {
  constexpr std::size_t kNowhere = ~std::size_t{0};
  std::vector<std::size_t> place(undirected.n_nodes(), kNowhere);
  Natural product = 1;
  for (Node start = 0; start < static_cast<Node>(place.size()); ++start) {
    if (place[static_cast<std::size_t>(start)] != kNowhere || undirected[start].empty()) continue;
    place[static_cast<std::size_t>(start)] = 0;
    std::vector<Node> component{start};
    for (std::size_t at = 0; at < component.size(); ++at) {
      for (const Node other : undirected[component[at]]) {
        std::size_t& found = place[static_cast<std::size_t>(other)];
        if (found != kNowhere) continue;
        found = component.size();
        component.push_back(other);
      }
    }
    const auto count =
        component.size() <= kWordBits
            ? count_by<OneWord>(undirected, component, place, rules, control)
            : count_by<std::vector<std::uint64_t>>(undirected, component, place, rules, control);
    if (!count) return std::nullopt;
    product *= *count;
  }
  return product;
}

}  // namespace

std::optional<Natural> count_orientations(const Adjacency& undirected, Control& control) {
  return count_product(undirected, nullptr, control);
}

std::optional<Natural> count_orientations(const Adjacency& undirected,
                                          const OrientationRules& rules, Control& control) {
  return count_product(undirected, &rules, control);
}

Natural count_orientations(std::span<const std::uint64_t> neighbours) {
  assert(neighbours.size() <= kWordBits);
  std::vector<Nodes<OneWord>> sets(neighbours.size(), Nodes<OneWord>(neighbours.size()));
  for (std::size_t node = 0; node < neighbours.size(); ++node)
    sets[node].words[0] = neighbours[node];
  NoControl control;
  return *Counter<OneWord>(std::move(sets), {}, control).count();
}

}  // namespace credenet
