#pragma once

#include <optional>
#include <vector>

#include "credenet/graphs/mixed_graph.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// An order of the nodes in which the consistent extension goes from later to earlier: its
// undirected edges are directed towards the end that comes first. Nothing when the graph has no
// extension, that is no DAG with its skeleton, its directed edges and its unshielded colliders and
// no others.
[[nodiscard]] std::optional<std::vector<Node>> extension_order(const MixedGraph& graph);

// An extension order for any graph whose directed edges have no cycle. If the graph has no
// extension, the DAG of the order has further unshielded colliders; each step adds few of them.
// Once the control has stopped it, colliders no longer count, and any order is as good as another.
[[nodiscard]] std::vector<Node> nearest_extension_order(const MixedGraph& graph, Control& control);

}  // namespace credenet
