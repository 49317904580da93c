#pragma once

#include <limits>

namespace credenet {

// The score of what is not possible.
inline constexpr double kNoScore = -std::numeric_limits<double>::infinity();

}  // namespace credenet
