#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "credenet/models/factors_view.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// Draws n_rows independent rows into codes (column-major, n_rows entries a column); order is a
// topological order of the variables. Returns false if the control stopped it, with codes
// undefined.
template <typename Code>
bool sample_forward(const FactorsView& network, std::span<const std::int32_t> order,
                    std::size_t n_rows, std::uint64_t seed, unsigned n_threads, Control& control,
                    Code* codes);

}  // namespace credenet
