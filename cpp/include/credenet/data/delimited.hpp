#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "credenet/data/code_list.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct Delimiter {
  char separator = ',';  // Separator of fields; 0 stands for runs of blanks and tabs.
  bool quotes = true;    // Whether "..." may hold separators, line ends and, doubled, quotes.
};

// A line with the wrong number of fields, or a quote that is never closed.
class DelimitedError : public std::runtime_error {
 public:
  DelimitedError(std::uint64_t line, const std::string& message)
      : std::runtime_error(message), line_(line) {}
  [[nodiscard]] std::uint64_t line() const { return line_; }

 private:
  std::uint64_t line_;
};

// The fields of the first row of a text (none if it is blank) and the length of the row.
struct FirstRow {
  std::vector<std::string> fields;
  std::size_t size = 0;  // Length in bytes, with the line end.
  std::uint64_t n_lines = 0;
};

// Throws DelimitedError, with lines counted from 0.
[[nodiscard]] FirstRow first_row(std::string_view text, const Delimiter& delimiter);

// Rows of delimited text. Every column is coded by its distinct fields ("labels"), in order of
// first appearance. The meaning of a label is not decided here: the caller looks at the few labels
// and gives each its code.
class CodedText {
 public:
  // The text has no header; its lines are numbered from first_line. Throws DelimitedError for the
  // first bad line. Returns early (stopped() is true) if the control says so. Threads share blocks
  // of about block_bytes.
  CodedText(std::string_view text, std::size_t n_columns, const Delimiter& delimiter,
            std::uint64_t first_line, unsigned n_threads, Control& control,
            std::size_t block_bytes = std::size_t{4} << 20);

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_columns() const { return labels_.size(); }
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] const std::vector<std::string>& labels(std::size_t column) const {
    return labels_[column];
  }
  // The line on which each label of a column first appears, and how often it does.
  [[nodiscard]] const std::vector<std::uint64_t>& lines(std::size_t column) const {
    return lines_[column];
  }
  [[nodiscard]] const std::vector<std::uint64_t>& counts(std::size_t column) const {
    return counts_[column];
  }

  // Sets out[row] to code_of_label[label of that row], for every row of a column.
  template <typename Code>
  void write_codes(std::size_t column, std::span<const Code> code_of_label,
                   std::span<Code> out) const;

 private:
  struct Block;

  struct BlockColumn {
    CodeList codes;                       // Codes within the block.
    std::vector<std::uint32_t> to_label;  // Index into labels of each code within the block.
  };

  std::vector<std::vector<BlockColumn>> blocks_;  // Columns of each block.
  std::vector<std::size_t> first_rows_;           // First row of each block.
  std::vector<std::vector<std::string>> labels_;
  std::vector<std::vector<std::uint64_t>> lines_;
  std::vector<std::vector<std::uint64_t>> counts_;
  std::size_t n_rows_ = 0;
  bool stopped_ = false;
};

}  // namespace credenet
