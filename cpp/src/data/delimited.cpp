// Delimited text to coded columns in one pass. The text is cut into blocks at line ends. Each block
// codes its fields by its own dictionaries. These are merged in the order of the blocks, so labels
// come in order of first appearance for any number of threads. Text with quotes is one block, since
// a line end may then be inside a field.
#include "credenet/data/delimited.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "credenet/data/label_dictionary.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(const char* begin, const char* end) {
  while (begin < end && is_blank(*begin)) ++begin;
  while (end > begin && is_blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

// Goes through the rows of a text; lines count from 0.
class Rows {
 public:
  Rows(std::string_view text, const Delimiter& delimiter)
      : begin_(text.data()),
        at_(begin_),
        end_(begin_ + text.size()),
        separator_(delimiter.separator),
        quotes_(delimiter.quotes) {}

  [[nodiscard]] bool done() const { return at_ == end_; }
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

  [[nodiscard]] bool at_blank_line() const {
    const char* at = at_;
    while (at < end_ && is_blank(*at) && *at != separator_) ++at;
    return is_line_end(at);
  }

  // Calls take with every field of the next row and the end of its memory. Moves to the row after
  // it and returns the number of fields.
  template <typename Take>
  std::size_t next(Take&& take);

 private:
  std::string_view quoted_field();

  void skip_blanks() {
    while (at_ < end_ && is_blank(*at_) && *at_ != separator_) ++at_;
  }
  [[nodiscard]] bool is_line_end(const char* at) const {
    return at == end_ || *at == '\n' || (*at == '\r' && (at + 1 == end_ || at[1] == '\n'));
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  char separator_;
  bool quotes_;
  std::uint64_t line_ = 0;
  std::string unquoted_;
};

// Reads a quoted field. at_ is at the opening quote; afterwards at what follows the closing one.
std::string_view Rows::quoted_field() {
  unquoted_.clear();
  const std::uint64_t opening_line = line_;
  for (++at_; at_ < end_; ++at_) {
    if (*at_ == '"') {
      if (at_ + 1 == end_ || at_[1] != '"') {
        ++at_;
        return unquoted_;
      }
      ++at_;  // A doubled quote stands for one.
    }
    if (*at_ == '\n') ++line_;
    unquoted_.push_back(*at_);
  }
  throw DelimitedError(opening_line, "a quote opens here and is never closed");
}

template <typename Take>
std::size_t Rows::next(Take&& take) {
  const bool runs = separator_ == 0;
  std::size_t n_fields = 0;
  if (runs) skip_blanks();
  while (!runs || !is_line_end(at_)) {
    const char* begin = at_;
    if (quotes_) skip_blanks();
    if (quotes_ && at_ < end_ && *at_ == '"') {
      const std::string_view field = quoted_field();
      if (!is_line_end(at_) && (runs ? !is_blank(*at_) : *at_ != separator_)) {
        skip_blanks();
        if (!is_line_end(at_) && *at_ != separator_) {
          throw DelimitedError(line_, "text follows a closing quote");
        }
      }
      take(n_fields++, field, field.data() + field.size());
    } else if (runs) {
      while (!is_line_end(at_) && !is_blank(*at_)) ++at_;
      take(n_fields++, std::string_view(begin, static_cast<std::size_t>(at_ - begin)), end_);
    } else {
      while (at_ < end_ && *at_ != separator_ && *at_ != '\n') ++at_;
      const bool returns = at_ > begin && at_[-1] == '\r' && (at_ == end_ || *at_ == '\n');
      take(n_fields++, trimmed(begin, returns ? at_ - 1 : at_), end_);
    }
    if (runs) {
      skip_blanks();
    } else if (is_line_end(at_)) {
      break;
    } else {
      ++at_;  // This is the separator, which another field follows.
    }
  }
  ++line_;
  if (at_ < end_ && *at_ == '\r') ++at_;
  if (at_ < end_) ++at_;
  return n_fields;
}

}  // namespace

FirstRow first_row(std::string_view text, const Delimiter& delimiter) {
  FirstRow row;
  Rows rows(text, delimiter);
  const bool blank = rows.at_blank_line();
  rows.next(
      [&](std::size_t, std::string_view field, const char*) { row.fields.emplace_back(field); });
  if (blank) row.fields.clear();
  row.size = rows.position();
  row.n_lines = rows.line();
  return row;
}

// Some whole lines of the text, coded apart; line numbers count from 0 within the block.
struct CodedText::Block {
  std::string_view text;
  std::uint64_t n_lines = 0;
  std::size_t n_rows = 0;
  std::vector<LabelDictionary> dictionaries;
  std::vector<BlockColumn> columns;

  void parse(const Delimiter& delimiter);

 private:
  void take(std::size_t column, std::string_view field, const char* end, std::uint64_t line) {
    // One field too many is reported when the line has ended.
    if (column >= columns.size()) return;
    const std::uint32_t code = dictionaries[column].code(field, end, line);
    columns[column].codes.add(code);
  }
};

void CodedText::Block::parse(const Delimiter& delimiter) {
  Rows rows(text, delimiter);
  while (!rows.done()) {
    const std::uint64_t line = rows.line();
    const bool blank = rows.at_blank_line();
    const std::size_t n_fields =
        rows.next([&](std::size_t column, std::string_view field, const char* end) {
          take(column, field, end, line);
        });
    if (n_fields != columns.size()) {
      throw DelimitedError(line, blank ? "is blank"
                                       : "has " + std::to_string(n_fields) +
                                             (n_fields == 1 ? " field" : " fields") + " where " +
                                             std::to_string(columns.size()) + " were expected");
    }
    ++n_rows;
  }
  n_lines = rows.line();
}

CodedText::CodedText(std::string_view text, std::size_t n_columns, const Delimiter& delimiter,
                     std::uint64_t first_line, unsigned n_threads, Control& control,
                     std::size_t block_bytes)
    : labels_(n_columns), lines_(n_columns), counts_(n_columns) {
  const bool one_block = delimiter.quotes && std::memchr(text.data(), '"', text.size()) != nullptr;
  std::vector<Block> parsed;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.size();
    if (!one_block && end - begin > block_bytes) {
      const std::size_t line_end = text.find('\n', begin + block_bytes);
      if (line_end != std::string_view::npos) end = line_end + 1;
    }
    Block& block = parsed.emplace_back();
    block.text = text.substr(begin, end - begin);
    begin = end;
  }

  std::atomic<bool> stop{false};
  std::vector<std::unique_ptr<DelimitedError>> errors(parsed.size());
  std::atomic<std::uint64_t> done{0};
  parallel_blocks(parsed.size(), n_threads, stop, [&](std::size_t index, unsigned worker) {
    Block& block = parsed[index];
    block.dictionaries.resize(n_columns);
    block.columns.resize(n_columns);
    try {
      block.parse(delimiter);
    } catch (const DelimitedError& error) {
      errors[index] = std::make_unique<DelimitedError>(error);
    }
    done += block.text.size();
    if (worker == 0 && !control.poll({done.load(), text.size()})) stop = true;
  });
  stopped_ = stop;
  if (stopped_) return;

  std::vector<std::unordered_map<std::string, std::uint32_t>> index_of(n_columns);
  std::uint64_t line = first_line;
  for (std::size_t index = 0; index < parsed.size(); ++index) {
    Block& block = parsed[index];
    if (errors[index]) throw DelimitedError(line + errors[index]->line(), errors[index]->what());
    for (std::size_t column = 0; column < n_columns; ++column) {
      LabelDictionary& dictionary = block.dictionaries[column];
      std::vector<std::uint32_t>& to_label = block.columns[column].to_label;
      for (std::size_t code = 0; code < dictionary.labels.size(); ++code) {
        const auto [entry, is_new] = index_of[column].try_emplace(
            dictionary.labels[code], static_cast<std::uint32_t>(labels_[column].size()));
        if (is_new) {
          labels_[column].push_back(std::move(dictionary.labels[code]));
          lines_[column].push_back(line + dictionary.rows[code]);
        }
        to_label.push_back(entry->second);
      }
    }
    first_rows_.push_back(n_rows_);
    n_rows_ += block.n_rows;
    line += block.n_lines;
    blocks_.push_back(std::move(block.columns));
  }

  for (std::size_t column = 0; column < n_columns; ++column) {
    counts_[column].resize(labels_[column].size());
  }
  stop = false;
  parallel_blocks(n_columns, n_threads, stop, [&](std::size_t column, unsigned) {
    for (const std::vector<BlockColumn>& block : blocks_) {
      const BlockColumn& part = block[column];
      std::vector<std::uint64_t> local(part.to_label.size());
      part.codes.for_each([&](std::uint32_t code) { ++local[code]; });
      for (std::size_t code = 0; code < local.size(); ++code) {
        counts_[column][part.to_label[code]] += local[code];
      }
    }
  });
}

template <typename Code>
void CodedText::write_codes(std::size_t column, std::span<const Code> code_of_label,
                            std::span<Code> out) const {
  assert(code_of_label.size() == labels_[column].size() && out.size() == n_rows_);
  for (std::size_t index = 0; index < blocks_.size(); ++index) {
    const BlockColumn& part = blocks_[index][column];
    std::vector<Code> code_of(part.to_label.size());
    for (std::size_t code = 0; code < part.to_label.size(); ++code) {
      code_of[code] = code_of_label[part.to_label[code]];
    }
    part.codes.write<Code>(code_of, out.subspan(first_rows_[index]));
  }
}

template void CodedText::write_codes(std::size_t, std::span<const std::uint8_t>,
                                     std::span<std::uint8_t>) const;
template void CodedText::write_codes(std::size_t, std::span<const std::uint16_t>,
                                     std::span<std::uint16_t>) const;
template void CodedText::write_codes(std::size_t, std::span<const double>, std::span<double>) const;

}  // namespace credenet
