#pragma once

#include <cstdint>
#include <limits>

namespace credenet {

struct Progress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  // The score of the incumbent and the bound of a search; NaN for other work.
  double score = std::numeric_limits<double>::quiet_NaN();
  double bound = std::numeric_limits<double>::quiet_NaN();
};

// The only link between long work and its caller. Work calls poll after every block, from worker 0
// (the calling thread) only. False means: stop and return what there is.
class Control {
 public:
  virtual ~Control() = default;
  [[nodiscard]] virtual bool poll(const Progress& progress) = 0;
};

class NoControl final : public Control {
 public:
  [[nodiscard]] bool poll(const Progress&) override { return true; }
};

}  // namespace credenet
