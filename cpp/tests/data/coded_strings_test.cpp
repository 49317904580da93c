#include "credenet/data/coded_strings.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::CodedStrings;
using credenet::Random;
using credenet::StringCell;
using Column = std::vector<std::optional<std::string>>;

namespace {

// Adds strings laid out as a table in memory has them; long ones are in two buffers.
void add(CodedStrings& strings, const Column& column, std::size_t first_bit) {
  std::string buffers[2];
  std::vector<StringCell> cells(column.size());
  std::vector<std::uint8_t> known((first_bit + column.size()) / 8 + 1);
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (!column[row]) continue;
    known[(first_bit + row) / 8] |= static_cast<std::uint8_t>(1U << ((first_bit + row) % 8));
    const std::string& text = *column[row];
    StringCell& cell = cells[row];
    cell.size = static_cast<std::int32_t>(text.size());
    if (cell.size <= StringCell::kMostInside) {
      std::memcpy(reinterpret_cast<char*>(&cell) + 4, text.data(), text.size());
    } else {
      cell.buffer = static_cast<std::int32_t>(row % 2);
      cell.begin = static_cast<std::int32_t>(buffers[row % 2].size());
      std::memcpy(cell.inside, text.data(), 4);
      buffers[row % 2] += text;
    }
  }
  const char* const begins[] = {buffers[0].data(), buffers[1].data()};
  const std::int64_t sizes[] = {static_cast<std::int64_t>(buffers[0].size()),
                                static_cast<std::int64_t>(buffers[1].size())};
  strings.add({cells, begins, sizes, known.data(), first_bit});
}

Column column_of(const CodedStrings& strings) {
  std::vector<std::uint16_t> code_of_label(strings.labels().size());
  for (std::size_t label = 0; label < code_of_label.size(); ++label) {
    code_of_label[label] = static_cast<std::uint16_t>(label);
  }
  std::vector<std::uint16_t> codes(strings.n_rows());
  strings.write_codes<std::uint16_t>(code_of_label, codes);
  Column column;
  for (const std::uint16_t code : codes) {
    if (strings.missing() == code) {
      column.emplace_back();
    } else {
      column.emplace_back(strings.labels()[code]);
    }
  }
  return column;
}

void check_random_columns() {
  Random random(3);
  for (const std::uint64_t n_labels : {1U, 3U, 256U, 257U, 4000U}) {
    for (const bool has_missing : {false, true}) {
      CodedStrings strings;
      Column all;
      for (const std::size_t n_rows : {0U, 1000U, 1U, 2000U}) {
        Column column;
        for (std::size_t row = 0; row < n_rows; ++row) {
          const std::uint64_t label = random.below(n_labels);
          column.emplace_back(std::string(label % 17, 'x') + std::to_string(label / 17));
          if (label % 17 == 0 && label / 17 == 0) column.back() = "";
          if (has_missing && random.below(9) == 0) column.back().reset();
        }
        add(strings, column, n_rows % 11);
        all.insert(all.end(), column.begin(), column.end());
      }
      CHECK(column_of(strings) == all);
      CHECK(strings.missing().has_value() == has_missing);
      const std::vector<std::uint64_t> counts = strings.counts();
      for (std::size_t label = 0; label < counts.size(); ++label) {
        std::uint64_t n_equal = 0;
        for (const auto& cell : all) {
          const bool is_missing = strings.missing() == label;
          n_equal += is_missing ? !cell.has_value() : cell == strings.labels()[label];
        }
        CHECK(counts[label] == n_equal);
      }
    }
  }
}

}  // namespace

int main() {
  check_random_columns();
  return 0;
}
