#pragma once

#include "credenet/util/control.hpp"

// A control that says stop at the given poll.
class StopAt final : public credenet::Control {
 public:
  explicit StopAt(int n_polls) : left_(n_polls) {}
  [[nodiscard]] bool poll(const credenet::Progress&) override { return --left_ > 0; }

 private:
  int left_;
};
