#include "credenet/independence/pieces.hpp"

#include "credenet/graphs/strong_components.hpp"

namespace credenet {

void split_pieces(const NodeBits& adjacent, const std::function<bool(Node, Node)>& leads,
                  std::span<std::size_t> piece) {
  constexpr std::size_t kNone = ~std::size_t{0};
  const std::size_t n = adjacent.n_nodes();
  const auto node_end = static_cast<Node>(n);
  std::vector<std::int64_t> starts{0};
  std::vector<Node> targets;
  for (Node node = 0; node < node_end; ++node) {
    adjacent.for_each(node, [&](Node other) {
      if (piece[node] == piece[other] && leads(node, other)) targets.push_back(other);
    });
    starts.push_back(static_cast<std::int64_t>(targets.size()));
  }
  const auto components = strong_components(starts, targets);
  std::vector<std::size_t> component(n, kNone);
  for (std::size_t at = 0; at < components.size(); ++at) {
    for (const Node member : components[at]) component[member] = at;
  }
  std::vector<bool> is_last(components.size(), true);
  for (Node node = 0; node < node_end; ++node) {
    for (std::int64_t at = starts[node]; at < starts[node + 1]; ++at) {
      if (component[targets[at]] != component[node]) is_last[component[node]] = false;
    }
  }
  std::vector<std::size_t> pieces(n, kNone);
  std::vector<Node> path;
  // The last part of piece p keeps the number p, so new pieces are numbered from n on.
  std::size_t n_pieces = n;
  for (Node root = 0; root < node_end; ++root) {
    if (is_last[component[root]]) {
      pieces[root] = piece[root];
      continue;
    }
    if (pieces[root] != kNone) continue;
    pieces[root] = n_pieces;
    path.push_back(root);
    while (!path.empty()) {
      const Node node = path.back();
      path.pop_back();
      adjacent.for_each(node, [&](Node other) {
        if (pieces[other] != kNone || is_last[component[other]] || piece[other] != piece[node]) {
          return;
        }
        pieces[other] = n_pieces;
        path.push_back(other);
      });
    }
    ++n_pieces;
  }
  // Pieces get numbers below n again.
  std::vector<std::size_t> renumbered(n_pieces, kNone);
  std::size_t n_used = 0;
  for (Node node = 0; node < node_end; ++node) {
    std::size_t& fresh = renumbered[pieces[node]];
    if (fresh == kNone) fresh = n_used++;
    piece[node] = fresh;
  }
}

}  // namespace credenet
