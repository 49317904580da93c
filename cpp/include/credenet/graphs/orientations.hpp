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
  std::span<const std::uint8_t> possible;  // at child * n_nodes + parent: 1 if it may be a parent
  std::span<const std::int32_t> room;      // for each node the most parents that it may get
  std::array<Node, 2> excluded{-1, -1};    // an edge, from and to, that they must not have
};

// The number of those orientations that obey rules. Nothing if the control stopped it.
[[nodiscard]] std::optional<Natural> count_orientations(const Adjacency& undirected,
                                                        const OrientationRules& rules,
                                                        Control& control);

// The number of all orientations for at most 64 nodes, whose neighbours are bits.
[[nodiscard]] Natural count_orientations(std::span<const std::uint64_t> neighbours);

}  // namespace credenet
