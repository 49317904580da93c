#pragma once

#include <nanobind/nanobind.h>

#include <csignal>

namespace credenet::python {

namespace nb = nanobind;

// While Python functions count or score, Ctrl-C is held back: an exception in the middle of a batch
// would lose what was learned so far. It arrives when the last call ends, and the next poll of the
// control sees it.
class HeldInterrupt {
 public:
  HeldInterrupt() {
    if (n_calls++ == 0) before = PyOS_setsig(SIGINT, [](int) { is_held = 1; });
    // An interrupt that arrived since the last poll would be raised in the middle of the call.
    if (PyErr_CheckSignals() == 0) return;
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) throw nb::python_error();
    PyErr_Clear();
    is_held = 1;
  }
  HeldInterrupt(const HeldInterrupt&) = delete;
  HeldInterrupt& operator=(const HeldInterrupt&) = delete;
  ~HeldInterrupt() {
    if (--n_calls > 0) return;
    PyOS_setsig(SIGINT, before);
    if (is_held != 0) PyErr_SetInterrupt();
    is_held = 0;
  }

  static inline volatile std::sig_atomic_t is_held = 0;

 private:
  static inline int n_calls = 0;  // Number of nested calls; changed with the GIL only.
  static inline PyOS_sighandler_t before = nullptr;
};

}  // namespace credenet::python
