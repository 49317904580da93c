#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <atomic>
#include <chrono>
#include <concepts>
#include <exception>
#include <optional>
#include <utility>

#include "credenet/util/control.hpp"
#include "gil.hpp"
#include "status_name.hpp"

namespace credenet::python {

// A callback that gets (done, total, score, bound); returning False stops the work.
using OnProgress = std::optional<
    nb::typed<nb::callable, std::optional<bool>(std::uint64_t, std::uint64_t, double, double)>>;

// Brings Ctrl-C and the progress callback to work that runs without the GIL. Acts at most once in
// an interval, and looks for a Ctrl-C once more when the work has ended. An exception raised
// meanwhile is kept until the workers have joined.
class PythonControl final : public Control {
 public:
  static inline std::atomic<double> interval{0.1};  // Seconds between two actions; tests take 0.

  explicit PythonControl(const OnProgress& on_progress) : on_progress_(on_progress) {}

  [[nodiscard]] bool poll(const Progress& progress) override {
    if (stopped_ || ProcessEnd::is_near()) return false;
    const auto now = Clock::now();
    if (now - last_ < std::chrono::duration<double>(interval)) return true;
    last_ = now;
    const GilAcquire gil;
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

  // Rethrows the exception that was kept. To be called with the GIL held.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  // The status with which the work ended. After Ctrl-C it is interrupted, whatever the work itself
  // says, so that no Ctrl-C is lost. One that came after the last poll counts, too: Python would
  // raise it when the binding returns, and the result would be lost. Any other exception is
  // rethrown. To be called with the GIL held.
  [[nodiscard]] Status end(Status status) const {
    try {
      rethrow();
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      return Status::kInterrupted;
    }
    return status;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const OnProgress& on_progress_;
  Clock::time_point last_ = Clock::now();
  std::exception_ptr failure_;
  bool stopped_ = false;
};

// Runs work without the GIL.
template <typename Work>
auto released(Work&& work) {
  const GilRelease release;
  return work();
}

// Runs work(control) without the GIL. It returns a status, something that has one, or whether the
// work came to its end. Python gets the status.
template <typename Work>
auto run(const OnProgress& on_progress, Work&& work) {
  PythonControl control(on_progress);
  auto result = released([&] { return work(control); });
  if constexpr (std::same_as<decltype(result), bool>) {
    return control.end(ended(result));
  } else if constexpr (std::same_as<decltype(result), Status>) {
    return control.end(result);
  } else {
    result.status = control.end(result.status);
    return result;
  }
}

// Runs work(control) without the GIL, for work of which a part is useless: Ctrl-C is raised.
template <typename Work>
auto run_whole(Work&& work) {
  const OnProgress silent;
  PythonControl control(silent);
  auto result = released([&] { return work(control); });
  control.rethrow();
  return result;
}

}  // namespace credenet::python
