#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/natural.hpp"

namespace credenet {

// The number of acyclic orientations without unshielded colliders of a chordal graph. These are the
// networks of a Markov equivalence class whose CPDAG has these undirected edges. Nothing if the
// control stopped it.
[[nodiscard]] std::optional<Natural> count_orientations(const Adjacency& undirected,
                                                        Control& control);

// Further rules for orientations. Empty rules allow everything.
struct OrientationRules {
  // Value 1 at child * n_nodes + parent if it may be a parent.
  std::span<const std::uint8_t> possible;
  std::span<const std::int32_t> room;    // Most parents that each node may get.
  std::array<Node, 2> excluded{-1, -1};  // An edge, from and to, that orientations must not have.
};

// The number of orientations without unshielded colliders that obey rules, given a chordal graph.
// Nothing if the control stopped it.
[[nodiscard]] std::optional<Natural> count_orientations(const Adjacency& undirected,
                                                        const OrientationRules& rules,
                                                        Control& control);

// The number of all orientations for at most 64 nodes, whose neighbours are bits.
[[nodiscard]] Natural count_orientations(std::span<const std::uint64_t> neighbours);

}  // namespace credenet
