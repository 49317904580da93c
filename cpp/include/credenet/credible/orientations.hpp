#pragma once

#include <cstdint>
#include <span>

namespace credenet {

// The number of acyclic orientations without unshielded colliders of a chordal graph of at most 64
// nodes, whose neighbours are bits; 0 if it does not fit into 64 bits. These are the networks of a
// Markov equivalence class whose CPDAG has these undirected edges.
[[nodiscard]] std::uint64_t count_orientations(std::span<const std::uint64_t> neighbours);

}  // namespace credenet
