#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string_view>

#include "arrays.hpp"
#include "credenet/data/delimited.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::unique_ptr<CodedText> read_delimited(const Bytes& text, std::size_t n_columns,
                                          std::string_view separator, bool quotes,
                                          std::uint64_t first_line, unsigned n_threads,
                                          const OnProgress& on_progress) {
  PythonControl control(on_progress);
  std::unique_ptr<CodedText> result;
  {
    const nb::gil_scoped_release release;
    const Delimiter delimiter{separator.empty() ? '\0' : separator.front(), quotes};
    result = std::make_unique<CodedText>(
        std::string_view(reinterpret_cast<const char*>(text.data()), text.size()), n_columns,
        delimiter, first_line, n_threads, control);
  }
  control.rethrow();
  return result;
}

template <typename Code>
void write_codes(const CodedText& text, std::size_t column, const Vector<Code>& code_of_label,
                 const OutVector<Code>& out) {
  const nb::gil_scoped_release release;
  text.write_codes(column, view(code_of_label), view(out));
}

nb::list labels(const CodedText& text, std::size_t column) {
  nb::list result;
  for (const std::string& label : text.labels(column)) {
    result.append(nb::bytes(label.data(), label.size()));
  }
  return result;
}

}  // namespace

void bind_data(nb::module_& module) {
  nb::class_<CodedText>(module, "CodedText",
                        "Delimited text, each column coded by its distinct fields.")
      .def_prop_ro("n_rows", &CodedText::n_rows)
      .def_prop_ro("stopped", &CodedText::stopped)
      .def("labels", &labels, "column"_a, nb::sig("def labels(self, column: int) -> list[bytes]"))
      .def("lines", &CodedText::lines, "column"_a)
      .def("counts", &CodedText::counts, "column"_a)
      .def("write_codes", &write_codes<std::uint8_t>, "column"_a, "code_of_label"_a.noconvert(),
           "out"_a.noconvert())
      .def("write_codes", &write_codes<std::uint16_t>, "column"_a, "code_of_label"_a.noconvert(),
           "out"_a.noconvert())
      .def("write_codes", &write_codes<double>, "column"_a, "code_of_label"_a.noconvert(),
           "out"_a.noconvert());
  module.def("read_delimited", &read_delimited, "text"_a.noconvert(), "n_columns"_a, "separator"_a,
             "quotes"_a, "first_line"_a, "n_threads"_a, "on_progress"_a.none() = nb::none());
}

}  // namespace credenet::python
