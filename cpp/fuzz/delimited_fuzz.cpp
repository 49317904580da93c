// Delimited text: one thread and one block find what several threads find in small blocks.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "credenet/data/delimited.hpp"
#include "credenet/util/control.hpp"
#include "fuzz.hpp"

using namespace credenet;

namespace {

// The text as it was coded, or the line that is wrong.
struct Coded {
  std::unique_ptr<CodedText> text;
  std::uint64_t wrong_line = 0;
};

Coded code(std::string_view text, std::size_t n_columns, const Delimiter& delimiter,
           unsigned n_threads, std::size_t block_bytes) {
  NoControl control;
  try {
    return {std::make_unique<CodedText>(text, n_columns, delimiter, 1, n_threads, control,
                                        block_bytes)};
  } catch (const DelimitedError& error) {
    return {nullptr, error.line()};
  }
}

std::vector<std::string> fields_of(const CodedText& text, std::size_t column) {
  std::vector<std::uint16_t> code_of_label(text.labels(column).size());
  for (std::size_t label = 0; label < code_of_label.size(); ++label) {
    code_of_label[label] = static_cast<std::uint16_t>(label);
  }
  std::vector<std::uint16_t> codes(text.n_rows());
  text.write_codes<std::uint16_t>(column, code_of_label, codes);
  std::vector<std::string> fields;
  for (const std::uint16_t one : codes) fields.push_back(text.labels(column).at(one));
  return fields;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  constexpr char kSeparators[] = {',', ';', '\t', '|', 0};
  const Delimiter delimiter{kSeparators[bytes.number(0, 4)], bytes.number(0, 1) == 1};
  const std::size_t block_bytes = bytes.number(1, 64);
  // The parser may read whole words within the text, so it lies in memory of its own size.
  const std::vector<char> copy(bytes.rest().begin(), bytes.rest().end());
  const std::string_view text(copy.data(), copy.size());
  std::size_t n_columns = 0;
  try {
    const FirstRow first = first_row(text, delimiter);
    must(first.size <= text.size());
    n_columns = first.fields.size();
  } catch (const DelimitedError&) {
    return 0;
  }
  if (n_columns == 0 || text.size() > 65535) return 0;  // A label is a code of 16 bits.
  const Coded whole = code(text, n_columns, delimiter, 1, std::size_t{4} << 20);
  const Coded parts = code(text, n_columns, delimiter, 3, block_bytes);
  must((whole.text == nullptr) == (parts.text == nullptr));
  if (whole.text == nullptr) {
    must(whole.wrong_line == parts.wrong_line);
    return 0;
  }
  must(whole.text->n_rows() == parts.text->n_rows());
  for (std::size_t column = 0; column < n_columns; ++column) {
    must(whole.text->labels(column) == parts.text->labels(column));
    must(whole.text->lines(column) == parts.text->lines(column));
    must(whole.text->counts(column) == parts.text->counts(column));
    must(fields_of(*whole.text, column) == fields_of(*parts.text, column));
  }
  return 0;
}
