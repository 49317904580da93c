// The distance is a sum over nodes i of an error s_i(parents of i), so its extremes over the
// extensions of a graph are sums of extremes over parts that can be oriented independently. Such
// parts are the connected components of the undirected edges: each of Meek's rules orients an edge
// x - y because of newly directed edges between nodes that undirected edges connect to x or y, so
// orienting one component and closing under the rules leaves the others untouched. Within a
// component an undirected edge is oriented both ways, each time closed under the rules (which are
// complete: both ways lead to an extension), and what remains undirected splits into smaller
// components that are again independent. A tree takes one branching per edge; a clique of k nodes
// takes on the order of k factorial.
#include "credenet/graphs/sid_bounds.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>

#include "credenet/graphs/meek.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

using Mark = MixedGraph::Mark;

// Parent sets tried for the outer bounds, per node each time and per component in all.
constexpr std::size_t kMaxLocalSets = 512;
constexpr std::size_t kMaxComponentSets = 100'000;

SidBounds& operator+=(SidBounds& sum, const SidBounds& term) {
  sum.low += term.low;
  sum.high += term.high;
  sum.exact = sum.exact && term.exact;
  return sum;
}

// The parts that undirected edges connect, each ascending, in the order of their first node in
// `nodes`. A node without undirected edges is a part of its own.
std::vector<std::vector<Node>> undirected_parts(const MixedGraph& graph,
                                                const std::vector<Node>& nodes,
                                                std::vector<std::uint8_t>& seen) {
  std::vector<std::vector<Node>> parts;
  for (const Node start : nodes) {
    if (seen[start] != 0) continue;
    seen[start] = 1;
    std::vector<Node> part{start};
    for (std::size_t next = 0; next < part.size(); ++next) {
      for (const Node neighbour : graph.marked(part[next], Mark::kUndirected)) {
        if (seen[neighbour] != 0) continue;
        seen[neighbour] = 1;
        part.push_back(neighbour);
      }
    }
    std::ranges::sort(part);
    parts.push_back(std::move(part));
  }
  for (const Node node : nodes) seen[node] = 0;
  return parts;
}

class ComponentBounds {
 public:
  ComponentBounds(const Digraph& truth, const MixedGraph& learned, std::uint64_t max_branchings,
                  unsigned worker, Control& control, std::atomic<bool>& stop)
      : graph_(learned),
        adjustment_(truth),
        seen_(truth.n_nodes(), 0),
        branchings_left_(max_branchings),
        worker_(worker),
        control_(control),
        stop_(stop) {}

  // The bounds of a whole component. A search that ended early is combined with the outer bounds of
  // the component.
  SidBounds bound_component(const std::vector<Node>& component) {
    SidBounds bounds = bound(component);
    if (!bounds.exact) {
      n_component_sets_ = 0;
      const SidBounds outer = outer_bounds(component);
      bounds.low = std::max(bounds.low, outer.low);
      bounds.high = std::min(bounds.high, outer.high);
    }
    return bounds;
  }

 private:
  SidBounds bound(const std::vector<Node>& part) {
    if (part.size() == 1) {
      const std::int64_t errors = errors_of(part[0], graph_.marked(part[0], Mark::kIn));
      return {errors, errors, true};
    }
    if (branchings_left_ == 0) return outer_bounds(part);
    --branchings_left_;
    if (worker_ == 0 && !control_.poll({0, 0})) stop_ = true;
    if (stop_) return {};

    const std::size_t edge = branching_edge(part);
    const SidBounds forwards = bound_with(part, edge);
    const SidBounds backwards = bound_with(part, graph_.twin(edge));
    return {std::min(forwards.low, backwards.low), std::max(forwards.high, backwards.high),
            forwards.exact && backwards.exact};
  }

  SidBounds bound_with(const std::vector<Node>& part, std::size_t edge) {
    graph_.orient(edge);
    const std::vector<std::size_t> oriented = close_under_meek(graph_, {edge});
    SidBounds sum;
    for (const std::vector<Node>& rest : undirected_parts(graph_, part, seen_)) sum += bound(rest);
    for (const std::size_t slot : oriented) graph_.unorient(slot);
    return sum;
  }

  // Chooses an edge at the node with most undirected edges, towards its neighbour with most: it
  // splits well.
  std::size_t branching_edge(const std::vector<Node>& part) const {
    const auto degree = [&](Node node) { return graph_.marked(node, Mark::kUndirected).size(); };
    const Node hub = *std::ranges::max_element(part, {}, degree);
    const std::vector<Node> neighbours = graph_.marked(hub, Mark::kUndirected);
    return graph_.skeleton().slot(hub, *std::ranges::max_element(neighbours, {}, degree));
  }

  // Bounds every node on its own: its parents are its directed ones and a clique of undirected
  // neighbours.
  SidBounds outer_bounds(const std::vector<Node>& part) {
    SidBounds sum;
    for (const Node node : part) {
      SidBounds local{static_cast<std::int64_t>(graph_.n_nodes()), 0, false};
      n_local_sets_ = 0;
      if (n_component_sets_ >= kMaxComponentSets) n_local_sets_ = kMaxLocalSets;
      const std::vector<Node> neighbours = graph_.marked(node, Mark::kUndirected);
      std::vector<Node> clique;
      extend_clique(node, neighbours, 0, clique, local);
      if (n_local_sets_ > kMaxLocalSets) {
        local.low = 0;
        local.high = static_cast<std::int64_t>(graph_.n_nodes()) - 1;
      }
      sum += local;
    }
    return sum;
  }

  void extend_clique(Node node, const std::vector<Node>& neighbours, std::size_t first,
                     std::vector<Node>& clique, SidBounds& local) {
    if (++n_local_sets_ > kMaxLocalSets) return;
    ++n_component_sets_;
    std::vector<Node> parents = graph_.marked(node, Mark::kIn);
    parents.insert(parents.end(), clique.begin(), clique.end());
    std::ranges::sort(parents);
    const std::int64_t errors = errors_of(node, parents);
    local.low = std::min(local.low, errors);
    local.high = std::max(local.high, errors);
    for (std::size_t next = first; next < neighbours.size(); ++next) {
      const auto joined = [&](Node member) { return graph_.adjacent(member, neighbours[next]); };
      if (!std::ranges::all_of(clique, joined)) continue;
      clique.push_back(neighbours[next]);
      extend_clique(node, neighbours, next + 1, clique, local);
      clique.pop_back();
    }
  }

  std::int64_t errors_of(Node node, const std::vector<Node>& parents) {
    const auto [entry, is_new] = known_[node].try_emplace(parents, 0);
    if (is_new) entry->second = adjustment_.count(node, parents);
    return entry->second;
  }

  MixedGraph graph_;
  AdjustmentErrors adjustment_;
  std::map<Node, std::map<std::vector<Node>, std::int64_t>> known_;
  std::vector<std::uint8_t> seen_;
  std::uint64_t branchings_left_;
  std::size_t n_local_sets_ = 0;
  std::size_t n_component_sets_ = 0;
  unsigned worker_;
  Control& control_;
  std::atomic<bool>& stop_;
};

}  // namespace

SidBounds sid_bounds(const Digraph& truth, const MixedGraph& learned, std::uint64_t max_branchings,
                     unsigned n_threads, Control& control) {
  std::vector<Node> nodes(truth.n_nodes());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::vector<std::uint8_t> seen(nodes.size(), 0);
  std::vector<std::vector<Node>> parts = undirected_parts(learned, nodes, seen);

  // Nodes without undirected edges need no search: they are counted in blocks.
  constexpr std::size_t kBlockNodes = 32;
  const auto first_single = std::stable_partition(
      parts.begin(), parts.end(), [](const std::vector<Node>& part) { return part.size() > 1; });
  const auto n_components = static_cast<std::size_t>(first_single - parts.begin());
  const std::size_t n_singles = parts.size() - n_components;
  const std::size_t n_blocks = (n_singles + kBlockNodes - 1) / kBlockNodes;
  std::vector<SidBounds> bounds(n_components + n_blocks);
  std::atomic<bool> stop{false};
  parallel_blocks(bounds.size(), n_threads, stop, [&](std::size_t block, unsigned worker) {
    std::size_t first = block;
    std::size_t last = block + 1;
    if (block >= n_components) {
      first = n_components + (block - n_components) * kBlockNodes;
      last = std::min(parts.size(), first + kBlockNodes);
    }
    ComponentBounds component(truth, learned, max_branchings, worker, control, stop);
    for (std::size_t part = first; part < last; ++part)
      bounds[block] += component.bound_component(parts[part]);
    if (worker == 0 && !control.poll({block, bounds.size()})) stop = true;
  });
  SidBounds sum;
  for (const SidBounds& part : bounds) sum += part;
  return sum;
}

}  // namespace credenet
