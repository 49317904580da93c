#include <nanobind/nanobind.h>

#include "credenet/data/delimited.hpp"
#include "credenet/util/map_guard.hpp"
#include "credenet/util/scratch_file.hpp"

namespace credenet::python {

namespace nb = nanobind;

// A DelimitedError arrives as _core.DelimitedError with args (line, message); Python knows the
// file. Errors of other files arrive as the library's own: a CutOffError as a FormatError, a
// ScratchError as a WriteError.
void bind_errors(nb::module_& module) {
  const nb::object type = nb::exception<DelimitedError>(module, "DelimitedError", PyExc_ValueError);
  static PyObject* delimited_error = type.ptr();
  nb::register_exception_translator([](const std::exception_ptr& failure, void*) {
    try {
      std::rethrow_exception(failure);
    } catch (const DelimitedError& error) {
      const nb::tuple arguments = nb::make_tuple(error.line(), error.what());
      PyErr_SetObject(delimited_error, arguments.ptr());
    } catch (const ScratchError& error) {
      const nb::object write_error = nb::module_::import_("credenet.errors").attr("WriteError");
      PyErr_SetObject(write_error.ptr(), nb::str(error.what()).ptr());
    } catch (const CutOffError& error) {
      const nb::object format_error = nb::module_::import_("credenet.errors").attr("FormatError");
      const nb::object raised = format_error(error.what(), nb::arg("path") = error.path().c_str());
      PyErr_SetObject(format_error.ptr(), raised.ptr());
    }
  });
}

}  // namespace credenet::python
