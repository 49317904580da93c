#pragma once

#include <nanobind/nanobind.h>

#include "credenet/util/status.hpp"

namespace credenet::python {

inline const char* name_of(Status status) {
  switch (status) {
    case Status::kComplete:
      return "complete";
    case Status::kOptimal:
      return "optimal";
    case Status::kLocalOptimum:
      return "local_optimum";
    case Status::kInfeasible:
      return "infeasible";
    case Status::kStopped:
      return "stopped";
    case Status::kInterrupted:
      return "interrupted";
    case Status::kMemoryLimit:
      return "memory_limit";
    case Status::kIterationLimit:
      return "iteration_limit";
  }
  return "";
}

}  // namespace credenet::python

namespace nanobind::detail {

// A status arrives in Python as its name.
template <>
struct type_caster<credenet::Status> {
  NB_TYPE_CASTER(credenet::Status, const_name("credenet._run.status.CoreStatus"))

  bool from_python(handle, std::uint8_t, cleanup_list*) noexcept { return false; }
  static handle from_cpp(credenet::Status status, rv_policy, cleanup_list*) noexcept {
    return PyUnicode_InternFromString(credenet::python::name_of(status));
  }
};

}  // namespace nanobind::detail
