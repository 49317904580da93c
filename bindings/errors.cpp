#include <nanobind/nanobind.h>

#include "credenet/data/delimited.hpp"
#include "credenet/util/scratch_file.hpp"

namespace credenet::python {

namespace nb = nanobind;

// A DelimitedError arrives as _core.DelimitedError with args (line, message); Python knows the
// file.
void bind_errors(nb::module_& module) {
  nb::exception<ScratchError>(module, "ScratchError", PyExc_OSError);
  const nb::object type = nb::exception<DelimitedError>(module, "DelimitedError", PyExc_ValueError);
  static PyObject* delimited_error = type.ptr();
  nb::register_exception_translator([](const std::exception_ptr& failure, void*) {
    try {
      std::rethrow_exception(failure);
    } catch (const DelimitedError& error) {
      const nb::tuple arguments = nb::make_tuple(error.line(), error.what());
      PyErr_SetObject(delimited_error, arguments.ptr());
    }
  });
}

}  // namespace credenet::python
