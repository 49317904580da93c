#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

// The GIL: work gives it up, a callback takes it again. All bindings do this by the two classes
// below, because of the end of the process.
//
// Daemon threads may be at work when the process ends. Once the interpreter is being finalised,
// Python ends a thread that asks for the GIL by unwinding its stack; a destructor or a catch (...)
// on the way turns this into std::terminate. So the process ends in two steps. First, before
// anything is finalised, ProcessEnd::begin has the work of all other threads stopped at its next
// poll, and waits a moment for that. Second, a thread that comes back from work does not ask for
// the GIL any more: it sleeps until the process is gone.

namespace credenet::python {

namespace nb = nanobind;

class ProcessEnd {
 public:
  [[nodiscard]] static bool has_begun() { return has_begun_.load(); }

  // Whether the process ends, and this thread has to stop: all do but the one that ends it.
  [[nodiscard]] static bool is_near() {
    return has_begun() && std::this_thread::get_id() != thread_;
  }

  // Begins the end of the process. Run by atexit, with the GIL held.
  static void begin() {
    thread_ = std::this_thread::get_id();
    has_begun_ = true;
    const nb::gil_scoped_release release;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (n_working_.load() > 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  static void enter() { ++n_working_; }
  static void leave() { --n_working_; }

  // Lets a thread that has entered sleep until the process is gone.
  [[noreturn]] static void sleep() {
    leave();
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }

 private:
  // Work polls after every block, which takes far less; the whole end is to take less than a
  // second.
  static constexpr std::chrono::milliseconds kPatience{500};
  static inline std::atomic<bool> has_begun_{false};
  static inline std::thread::id thread_;         // Thread that ends the process.
  static inline std::atomic<int> n_working_{0};  // Number of calls that may ask for the GIL.
};

// Thrown instead of taking the GIL for a callback of work that has to stop.
class ProcessEnds : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the process ends"; }
};

// Gives up the GIL in its scope.
class GilRelease {
 public:
  GilRelease() {
    ProcessEnd::enter();
    state_ = PyEval_SaveThread();
  }
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  ~GilRelease() {
    if (ProcessEnd::is_near()) ProcessEnd::sleep();
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {  // Python unwinds the stack to end this thread.
      ProcessEnd::sleep();
    }
    ProcessEnd::leave();
  }

 private:
  PyThreadState* state_;
};

// Takes the GIL in its scope, inside that of a GilRelease; in any thread of the work.
class GilAcquire {
 public:
  GilAcquire() {
    if (ProcessEnd::is_near()) throw ProcessEnds();
    try {
      state_ = PyGILState_Ensure();
    } catch (...) {
      ProcessEnd::sleep();
    }
  }
  GilAcquire(const GilAcquire&) = delete;
  GilAcquire& operator=(const GilAcquire&) = delete;
  ~GilAcquire() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_{};
};

// A context manager for work that another library does without the GIL, such as a linear program:
// the end of the process waits for it, too.
class ForeignWork {
 public:
  void enter() {
    ProcessEnd::enter();
    sleep_at_end();
  }
  void exit() {
    sleep_at_end();
    ProcessEnd::leave();
  }

 private:
  static void sleep_at_end() {
    if (!ProcessEnd::is_near()) return;
    (void)PyEval_SaveThread();
    ProcessEnd::sleep();
  }
};

}  // namespace credenet::python
