#pragma once

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

// The same for at most 64 nodes, whose neighbours are bits.
[[nodiscard]] Natural count_orientations(std::span<const std::uint64_t> neighbours);

}  // namespace credenet
