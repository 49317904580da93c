#pragma once

#include <cstdint>

namespace credenet {

// How work ended.
enum class Status : std::uint8_t {
  kComplete,        // all that was asked for is there
  kOptimal,         // the best there is, proven
  kLocalOptimum,    // a search came to its end without a proof
  kInfeasible,      // there is nothing of the kind asked for
  kStopped,         // the control said so
  kInterrupted,     // the same, by the user's Ctrl-C; told by who owns the control
  kMemoryLimit,     // the next step would have taken more than it may
  kIterationLimit,  // as much work was done as it may
};

// Of work that only the control can end early.
[[nodiscard]] constexpr Status ended(bool is_finished) {
  return is_finished ? Status::kComplete : Status::kStopped;
}

}  // namespace credenet
