// Strings of tables in memory: what is coded is what was there, wherever the strings lie.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "credenet/data/coded_strings.hpp"
#include "fuzz.hpp"

using namespace credenet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  CodedStrings coded;
  std::vector<std::optional<std::string>> column;
  while (bytes.size() > 0) {
    const std::size_t n_rows = bytes.number(0, 20);
    const std::size_t first_bit = bytes.number(0, 9);
    const bool all_known = bytes.number(0, 1) == 1;
    std::vector<StringCell> cells(n_rows);
    std::vector<std::uint8_t> known((first_bit + n_rows) / 8 + 1);
    std::vector<char> buffer;
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (!all_known && bytes.number(0, 3) == 0) {
        column.emplace_back();
        continue;
      }
      known[(first_bit + row) / 8] |= static_cast<std::uint8_t>(1U << ((first_bit + row) % 8));
      std::string text(bytes.number(0, 30), '\0');
      for (char& letter : text) letter = static_cast<char>(bytes.byte());
      cells[row].size = static_cast<std::int32_t>(text.size());
      if (cells[row].size <= StringCell::kMostInside) {
        if (!text.empty()) {
          std::memcpy(reinterpret_cast<char*>(&cells[row]) + 4, text.data(), text.size());
        }
      } else {
        cells[row].begin = static_cast<std::int32_t>(buffer.size());
        buffer.insert(buffer.end(), text.begin(), text.end());
      }
      column.emplace_back(text);
    }
    buffer.shrink_to_fit();  // A byte read too far is seen then.
    const char* const begins[] = {buffer.data()};
    const std::int64_t sizes[] = {static_cast<std::int64_t>(buffer.size())};
    coded.add({cells, begins, sizes, all_known ? nullptr : known.data(), first_bit});
  }
  must(coded.n_rows() == column.size());
  std::vector<std::uint32_t> code_of_label(coded.labels().size());
  for (std::size_t label = 0; label < code_of_label.size(); ++label) {
    code_of_label[label] = static_cast<std::uint32_t>(label);
  }
  std::vector<std::uint32_t> codes(column.size());
  coded.write_codes<std::uint32_t>(code_of_label, codes);
  std::vector<std::uint64_t> counts(coded.labels().size());
  for (std::size_t row = 0; row < column.size(); ++row) {
    ++counts.at(codes[row]);
    must(column[row] ? coded.labels()[codes[row]] == *column[row] : coded.missing() == codes[row]);
    must(column[row].has_value() == (coded.missing() != codes[row]));
  }
  must(counts == coded.counts());
  return 0;
}
