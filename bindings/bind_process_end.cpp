#include <nanobind/nanobind.h>

#include "gil.hpp"

namespace credenet::python {

using namespace nb::literals;

namespace {

void end() {
  // Python never gives back what another thread holds, and frees what a callback of the garbage
  // collector leads to after the last collection. Neither is a leak of ours.
  const nb::object frames = nb::module_::import_("sys").attr("_current_frames")();
  frames.attr("pop")(nb::module_::import_("threading").attr("get_ident")(), nb::none());
  const nb::object callbacks = nb::module_::import_("gc").attr("callbacks");
  if (nb::len(frames) > 0 || nb::len(callbacks) > 0) nb::set_leak_warnings(false);
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
