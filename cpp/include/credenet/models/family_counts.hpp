#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "credenet/models/factors_view.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// Adds up, for every family of a network's structure, how often (or with what weight) each joint
// state of parents and child occurs. counts is laid out like the network's tables. weights is empty
// or has one entry a row. False if the control stopped it.
template <typename Code>
bool family_counts(const FactorsView& structure, const Code* codes, std::size_t n_rows,
                   std::span<const double> weights, unsigned n_threads, Control& control,
                   std::span<double> counts);

}  // namespace credenet
