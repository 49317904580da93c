#pragma once

#include <limits>

namespace credenet {

// The score of an impossible family or network.
inline constexpr double kNoScore = -std::numeric_limits<double>::infinity();

}  // namespace credenet
