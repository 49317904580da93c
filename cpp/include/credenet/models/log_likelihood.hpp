#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "credenet/models/factors_view.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// Natural log of each row's probability; -inf where the network excludes it. codes is column-major
// with one column per variable and log_probabilities.size() rows. False if the control stopped it.
template <typename Code>
bool log_likelihood(const FactorsView& network, const Code* codes, unsigned n_threads,
                    Control& control, std::span<double> log_probabilities);

}  // namespace credenet
