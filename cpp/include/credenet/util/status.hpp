#pragma once

#include <cstdint>

namespace credenet {

// How work ended.
enum class Status : std::uint8_t {
  kComplete,        // everything asked for was found
  kOptimal,         // the best, proven
  kLocalOptimum,    // a search ended by itself, without a proof
  kInfeasible,      // No solution exists.
  kStopped,         // The control stopped the work.
  kInterrupted,     // The user pressed Ctrl-C; the owner of the control sets this.
  kMemoryLimit,     // the next step would have exceeded the memory limit
  kIterationLimit,  // the limit of iterations or work is reached
};

// The status of work that only the control can end early.
[[nodiscard]] constexpr Status ended(bool is_finished) {
  return is_finished ? Status::kComplete : Status::kStopped;
}

}  // namespace credenet
