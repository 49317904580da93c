#pragma once

#include <cstdint>

namespace credenet {

// How work ended.
enum class Status : std::uint8_t {
  kComplete,        // Everything asked for was found.
  kOptimal,         // The best solution was found and proven.
  kLocalOptimum,    // A search ended by itself, without a proof.
  kInfeasible,      // No solution exists.
  kStopped,         // The control stopped the work.
  kInterrupted,     // The user pressed Ctrl-C; the owner of the control sets this.
  kMemoryLimit,     // The next step would have exceeded the memory limit.
  kIterationLimit,  // The limit of iterations or work was reached.
};

// The status of work that only the control can end early.
[[nodiscard]] constexpr Status ended(bool is_finished) {
  return is_finished ? Status::kComplete : Status::kStopped;
}

}  // namespace credenet
