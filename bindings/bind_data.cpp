#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "arrays.hpp"
#include "arrow_strings.hpp"
#include "credenet/data/delimited.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::string_view as_text(const Bytes& text) {
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

Delimiter delimiter_of(std::string_view separator, bool quotes) {
  return {separator.empty() ? '\0' : separator.front(), quotes};
}

nb::typed<nb::list, nb::bytes> to_list(const std::vector<std::string>& fields) {
  nb::list result;
  for (const std::string& field : fields) result.append(nb::bytes(field.data(), field.size()));
  return result;
}

nb::typed<nb::tuple, nb::typed<nb::list, nb::bytes>, std::size_t, std::uint64_t> split_first_row(
    const Bytes& text, std::string_view separator) {
  const FirstRow row = first_row(as_text(text), delimiter_of(separator, true));
  return nb::make_tuple(to_list(row.fields), row.size, row.n_lines);
}

std::pair<Status, std::unique_ptr<CodedText>> read_delimited(
    const Bytes& text, std::size_t n_columns, std::string_view separator, bool quotes,
    std::uint64_t first_line, unsigned n_threads, const OnProgress& on_progress,
    std::size_t block_bytes) {
  std::unique_ptr<CodedText> result;
  const Status status = run(on_progress, [&](Control& control) {
    result = std::make_unique<CodedText>(as_text(text), n_columns, delimiter_of(separator, quotes),
                                         first_line, n_threads, control, block_bytes);
    return !result->stopped();
  });
  return {status, std::move(result)};
}

template <typename Code>
void write_codes(const CodedText& text, std::size_t column, const Vector<Code>& code_of_label,
                 const OutVector<Code>& out) {
  const GilRelease release;
  text.write_codes(column, view(code_of_label), view(out));
}

nb::typed<nb::list, nb::bytes> labels(const CodedText& text, std::size_t column) {
  return to_list(text.labels(column));
}

CodedStrings code_strings(nb::handle stream) {
  auto* arrow =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(stream.ptr(), "arrow_array_stream"));
  if (arrow == nullptr) throw nb::python_error();
  const GilRelease release;
  return read_strings(*arrow);
}

nb::typed<nb::list, std::optional<nb::str>> string_labels(const CodedStrings& strings) {
  nb::list result;
  for (const std::string& label : strings.labels()) {
    result.append(nb::str(label.data(), label.size()));
  }
  if (strings.missing()) result[*strings.missing()] = nb::none();
  return result;
}

template <typename Code>
void write_string_codes(const CodedStrings& strings, const Vector<Code>& code_of_label,
                        const OutVector<Code>& out) {
  const GilRelease release;
  strings.write_codes(view(code_of_label), view(out));
}

}  // namespace

void bind_data(nb::module_& module) {
  nb::class_<CodedText>(module, "CodedText",
                        "Delimited text, each column coded by its distinct fields.")
      .def_prop_ro("n_rows", &CodedText::n_rows)
      .def("labels", &labels, "column"_a)
      .def("lines", &CodedText::lines, "column"_a)
      .def("counts", &CodedText::counts, "column"_a)
      .def("write_codes", &write_codes<std::uint8_t>, "column"_a, "code_of_label"_a.noconvert(),
           "out"_a.noconvert())
      .def("write_codes", &write_codes<std::uint16_t>, "column"_a, "code_of_label"_a.noconvert(),
           "out"_a.noconvert())
      .def("write_codes", &write_codes<double>, "column"_a, "code_of_label"_a.noconvert(),
           "out"_a.noconvert());
  module.def("read_delimited", &read_delimited, "text"_a.noconvert(), "n_columns"_a, "separator"_a,
             "quotes"_a, "first_line"_a, "n_threads"_a, "on_progress"_a.none() = nb::none(),
             "block_bytes"_a = std::size_t{4} << 20);
  nb::class_<CodedStrings>(module, "CodedStrings",
                           "A column of strings, coded by its distinct strings; None is missing.")
      .def_prop_ro("n_rows", &CodedStrings::n_rows)
      .def_prop_ro("labels", &string_labels)
      .def_prop_ro("counts", &CodedStrings::counts)
      .def("write_codes", &write_string_codes<std::uint8_t>, "code_of_label"_a.noconvert(),
           "out"_a.noconvert())
      .def("write_codes", &write_string_codes<std::uint16_t>, "code_of_label"_a.noconvert(),
           "out"_a.noconvert())
      .def("write_codes", &write_string_codes<double>, "code_of_label"_a.noconvert(),
           "out"_a.noconvert());
  module.def("code_strings", &code_strings, "stream"_a,
             "The strings of an Arrow stream of string views, which is used up.");
  module.def("first_row", &split_first_row, "text"_a.noconvert(), "separator"_a);
}

}  // namespace credenet::python
