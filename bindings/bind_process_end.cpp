#include <nanobind/nanobind.h>

#include "gil.hpp"

namespace credenet::python {

using namespace nb::literals;

namespace {

void end() {
  // What sleeping threads hold is never given back.
  if (nb::cast<int>(nb::module_::import_("threading").attr("active_count")()) > 1) {
    nb::set_leak_warnings(false);
  }
  ProcessEnd::begin();
}

}  // namespace

void bind_process_end(nb::module_& module) {
  module.def("is_process_ending", &ProcessEnd::has_begun,
             "Whether the interpreter has begun to end; no new thread may work then.");
  nb::class_<ForeignWork>(
      module, "ForeignWork",
      "Work of another library without the GIL, for which the end of the process waits a moment.")
      .def(nb::init<>())
      .def("__enter__", &ForeignWork::enter)
      .def(
          "__exit__", [](ForeignWork& self, nb::handle, nb::handle, nb::handle) { self.exit(); },
          "type"_a.none(), "error"_a.none(), "trace"_a.none());
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end));
}

}  // namespace credenet::python
