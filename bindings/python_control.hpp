#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>

#include "credenet/util/control.hpp"

namespace credenet::python {

namespace nb = nanobind;

// Called with (done, total, score, bound); returning False stops the work.
using OnProgress = std::optional<
    nb::typed<nb::callable, std::optional<bool>(std::uint64_t, std::uint64_t, double, double)>>;

// Brings Ctrl-C and the progress callback to work that runs without the GIL. Acts at most every
// interval_ms; an exception raised meanwhile is kept until rethrow, after the workers have joined.
class PythonControl final : public Control {
 public:
  static inline std::atomic<int> interval_ms{100};  // 0 in tests that count polls

  explicit PythonControl(const OnProgress& on_progress) : on_progress_(on_progress) {}

  [[nodiscard]] bool poll(const Progress& progress) override {
    if (stopped_) return false;
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(interval_ms)) return true;
    last_ = now;
    const nb::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (on_progress_) {
        const nb::object answer =
            (*on_progress_)(progress.done, progress.total, progress.score, progress.bound);
        if (answer.is(nb::bool_(false))) stopped_ = true;
      }
    } catch (...) {
      failure_ = std::current_exception();
      stopped_ = true;
    }
    return !stopped_;
  }

  // To be called with the GIL held.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  // For work whose answer so far is worth having after Ctrl-C: whether that came. Any other
  // exception is rethrown. To be called with the GIL held.
  [[nodiscard]] bool was_interrupted() const {
    try {
      rethrow();
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      return true;
    }
    return false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const OnProgress& on_progress_;
  Clock::time_point last_ = Clock::now();
  std::exception_ptr failure_;
  bool stopped_ = false;
};

}  // namespace credenet::python
