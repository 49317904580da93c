#pragma once

#include <chrono>
#include <optional>

#include "credenet/util/control.hpp"

namespace credenet {

// Lets stopped work continue for a moment, to finish a result.
class Moment final : public Control {
 public:
  explicit Moment(Control& control) : control_(control) {}

  [[nodiscard]] bool poll(const Progress& progress) override {
    if (!end_ && control_.poll(progress)) return true;
    if (!end_) end_ = Clock::now() + std::chrono::milliseconds(100);
    return Clock::now() < *end_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Control& control_;
  // End of the moment, once the control has stopped the work.
  std::optional<Clock::time_point> end_;
};

}  // namespace credenet
