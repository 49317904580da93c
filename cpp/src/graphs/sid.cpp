// Errors of one node i and a set Z of supposed parents, for all j at once. For j in Z the learned
// graph says that i has no effect on j: wrong iff j descends from i. For other j, Z must be a valid
// adjustment set in the true graph: no node of Z descends from a node other than i on a directed
// path from i to j, and Z blocks every path from i to j that is not directed. The first is a search
// down from the descendants of i that have descendants in Z. For the second, trails are followed
// from i, never back through it, with one more bit than for d-separation: whether the trail is a
// directed path so far. A trail that leaves i by an edge and turns may shorten to a directed path,
// but then it turned at a descendant of that path's first node with a descendant in Z, which the
// first condition counts. Everything is linear in the graph, so the distance costs n (n + m).
#include "credenet/graphs/sid.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "credenet/util/parallel.hpp"

namespace credenet {

AdjustmentErrors::AdjustmentErrors(const Digraph& truth)
    : truth_(truth),
      supposed_(truth.n_nodes(), 0),
      leads_to_set_(truth.n_nodes(), 0),
      descendants_(truth.n_nodes(), 0),
      mediated_(truth.n_nodes(), 0),
      entered_(truth.n_nodes(), 0) {}

// Marks what the lists lead to from the nodes in pending_, which are marked already.
void AdjustmentErrors::mark_reachable(const Adjacency& lists, std::vector<std::uint8_t>& marks) {
  while (!pending_.empty()) {
    const Node node = pending_.back();
    pending_.pop_back();
    for (const Node next : lists[node]) {
      if (marks[next] != 0) continue;
      marks[next] = 1;
      pending_.push_back(next);
    }
  }
}

void AdjustmentErrors::follow_open_trails(Node node) {
  const auto visit = [&](Node next, Entered entered) {
    if (next == node || (entered_[next] & entered) != 0) return;
    entered_[next] |= entered;
    steps_.push_back({next, entered});
  };
  for (const Node parent : truth_.parents[node]) visit(parent, kFromChild);
  for (const Node child : truth_.children[node]) visit(child, kCausally);
  while (!steps_.empty()) {
    const auto [at, entered] = steps_.back();
    steps_.pop_back();
    const bool in_set = supposed_[at] != 0;
    const bool upwards = entered == kFromChild ? !in_set : leads_to_set_[at] != 0;
    if (upwards) {
      for (const Node parent : truth_.parents[at]) visit(parent, kFromChild);
    }
    if (!in_set) {
      const Entered onwards = entered == kCausally ? kCausally : kFromParent;
      for (const Node child : truth_.children[at]) visit(child, onwards);
    }
  }
}

std::int64_t AdjustmentErrors::count(Node node, std::span<const Node> supposed_parents) {
  if (std::ranges::equal(supposed_parents, truth_.parents[node])) return 0;
  for (auto* marks : {&supposed_, &leads_to_set_, &descendants_, &mediated_, &entered_}) {
    std::ranges::fill(*marks, std::uint8_t{0});
  }
  for (const Node parent : supposed_parents) {
    supposed_[parent] = leads_to_set_[parent] = 1;
    pending_.push_back(parent);
  }
  mark_reachable(truth_.parents, leads_to_set_);
  descendants_[node] = 1;
  pending_.push_back(node);
  mark_reachable(truth_.children, descendants_);
  const auto n_nodes = static_cast<Node>(truth_.n_nodes());
  for (Node other = 0; other < n_nodes; ++other) {
    if (other == node || descendants_[other] == 0 || leads_to_set_[other] == 0) continue;
    mediated_[other] = 1;
    pending_.push_back(other);
  }
  mark_reachable(truth_.children, mediated_);
  follow_open_trails(node);

  std::int64_t errors = 0;
  for (Node other = 0; other < n_nodes; ++other) {
    if (other == node) continue;
    const bool wrong =
        supposed_[other] != 0
            ? descendants_[other] != 0
            : mediated_[other] != 0 || (entered_[other] & (kFromChild | kFromParent)) != 0;
    errors += wrong ? 1 : 0;
  }
  return errors;
}

std::int64_t sid(const Digraph& truth, const Digraph& learned, unsigned n_threads,
                 Control& control) {
  constexpr std::size_t kBlockNodes = 32;
  const std::size_t n_nodes = truth.n_nodes();
  std::vector<std::int64_t> errors((n_nodes + kBlockNodes - 1) / kBlockNodes, 0);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  parallel_blocks(errors.size(), n_threads, stop, [&](std::size_t block, unsigned worker) {
    AdjustmentErrors adjustment(truth);
    const std::size_t end = std::min(n_nodes, (block + 1) * kBlockNodes);
    for (std::size_t node = block * kBlockNodes; node < end; ++node) {
      errors[block] +=
          adjustment.count(static_cast<Node>(node), learned.parents[static_cast<Node>(node)]);
    }
    done += end - block * kBlockNodes;
    if (worker == 0 && !control.poll({done.load(), n_nodes})) stop = true;
  });
  if (stop) return -1;
  return std::accumulate(errors.begin(), errors.end(), std::int64_t{0});
}

}  // namespace credenet
