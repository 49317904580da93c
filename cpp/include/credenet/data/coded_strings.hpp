#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "credenet/data/code_list.hpp"
#include "credenet/data/label_dictionary.hpp"

namespace credenet {

// A string as tables in memory have it (the layout "string view" of Arrow). A short one has all its
// bytes here, a longer one its first four, and the place of all of them in a buffer.
struct StringCell {
  // Bytes of the longest string that lies in its cell.
  static constexpr std::int32_t kMostInside = 12;

  std::int32_t size = 0;
  char inside[4] = {};  // Together with the next two numbers, the bytes of a short string.
  std::int32_t buffer = 0;
  std::int32_t begin = 0;
};
static_assert(sizeof(StringCell) == 16);

// Some rows of a column of strings.
struct StringChunk {
  std::span<const StringCell> cells;
  std::span<const char* const> buffers;
  std::span<const std::int64_t> buffer_sizes;
  // A bit for each row, 0 if it has no string; null if all have one.
  const std::uint8_t* known = nullptr;
  std::size_t first_bit = 0;  // Bit of the first row.
};

// A column of strings, coded by its distinct strings ("labels") in order of first appearance. Rows
// without a string have a label of their own, which is empty.
class CodedStrings {
 public:
  void add(const StringChunk& chunk);

  [[nodiscard]] std::size_t n_rows() const { return codes_.size(); }
  [[nodiscard]] const std::vector<std::string>& labels() const { return dictionary_.labels; }
  // The label of rows without a string, if there are any.
  [[nodiscard]] std::optional<std::uint32_t> missing() const { return missing_; }
  [[nodiscard]] std::vector<std::uint64_t> counts() const;

  // Sets out[row] to code_of_label[label of that row].
  template <typename Code>
  void write_codes(std::span<const Code> code_of_label, std::span<Code> out) const {
    codes_.write(code_of_label, out);
  }

 private:
  LabelDictionary dictionary_;
  std::optional<std::uint32_t> missing_;
  CodeList codes_;
};

}  // namespace credenet
