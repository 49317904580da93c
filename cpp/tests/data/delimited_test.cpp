#include "credenet/data/delimited.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::CodedText;
using credenet::DelimitedError;
using credenet::Delimiter;
using credenet::first_row;
using credenet::NoControl;
using credenet::Random;
using Table = std::vector<std::vector<std::string>>;

namespace {

NoControl no_control;

// The fields of every row, put together again from labels and codes.
Table fields(const CodedText& text) {
  Table rows(text.n_rows(), std::vector<std::string>(text.n_columns()));
  for (std::size_t column = 0; column < text.n_columns(); ++column) {
    const std::vector<std::string>& labels = text.labels(column);
    std::vector<std::uint16_t> code_of_label(labels.size());
    for (std::size_t label = 0; label < labels.size(); ++label) {
      code_of_label[label] = static_cast<std::uint16_t>(label);
    }
    std::vector<std::uint16_t> codes(text.n_rows());
    text.write_codes<std::uint16_t>(column, code_of_label, codes);
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row][column] = labels[codes[row]];
  }
  return rows;
}

Table read(std::string_view text, std::size_t n_columns, const Delimiter& delimiter = {}) {
  return fields(CodedText(text, n_columns, delimiter, 1, 1, no_control));
}

void check_error(std::string_view text, std::size_t n_columns, std::uint64_t line,
                 std::string_view message, const Delimiter& delimiter = {}) {
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{1000}}) {
    try {
      const CodedText coded(text, n_columns, delimiter, 10, 2, no_control, block_bytes);
      CHECK(coded.stopped());  // The text must throw before it stops.
    } catch (const DelimitedError& error) {
      CHECK(error.line() == line);
      CHECK(error.what() == message);
    }
  }
}

void check_fields() {
  const Delimiter comma;
  const Delimiter tab{'\t', true};
  const Delimiter runs{'\0', true};
  CHECK(read("a,b\nc,d", 2) == (Table{{"a", "b"}, {"c", "d"}}));
  CHECK(read("a,b\r\nc,d\r\n", 2) == (Table{{"a", "b"}, {"c", "d"}}));
  CHECK(read("a,b\nc,d\r", 2) == (Table{{"a", "b"}, {"c", "d"}}));
  CHECK(read(" a ,\tb \n,", 2) == (Table{{"a", "b"}, {"", ""}}));
  CHECK(read("\"a,\n\"\"b\"\"\" , x\r\n\"\",y", 2) == (Table{{"a,\n\"b\"", "x"}, {"", "y"}}));
  CHECK(read("a\"b\",c\"", 2) == (Table{{"a\"b\"", "c\""}}));
  CHECK(read("\"a\",b", 2, {',', false}) == (Table{{"\"a\"", "b"}}));
  CHECK(read("a\rb,c\n", 2) == (Table{{"a\rb", "c"}}));
  CHECK(read("\ta\n b \t", 2, tab) == (Table{{"", "a"}, {"b", ""}}));
  CHECK(read("  a \t b\n\"c d\"  e  \r\nf g", 2, runs) ==
        (Table{{"a", "b"}, {"c d", "e"}, {"f", "g"}}));
  CHECK(read("a\n\nb", 1, comma) == (Table{{"a"}, {""}, {"b"}}));
  CHECK(read("", 3).empty());
  // Fields have up to, exactly and more than the length that is packed into a word, and differ at
  // the end.
  CHECK(read("abcdef,abcdefg\nabcdefgh,abcdefghi\nabcdefgh,abcdefg\nabcdefgi,abcdefg", 2) ==
        (Table{{"abcdef", "abcdefg"},
               {"abcdefgh", "abcdefghi"},
               {"abcdefgh", "abcdefg"},
               {"abcdefgi", "abcdefg"}}));
  const std::string nulls("\0,\0\0\n\0\0\0,\0", 10);
  CHECK(read(nulls, 2) == (Table{{std::string(1, '\0'), std::string(2, '\0')},
                                 {std::string(3, '\0'), std::string(1, '\0')}}));
}

void check_first_row() {
  const auto row = first_row("a , \"b\nc\"\r\nd,e\n", {});
  CHECK((row.fields == std::vector<std::string>{"a", "b\nc"}));
  CHECK(row.size == 11);
  CHECK(row.n_lines == 2);
  CHECK(first_row("", {}).fields.empty());
  CHECK(first_row("", {}).size == 0);
  CHECK(first_row("  \nx", {}).fields.empty());
  CHECK(first_row("  \nx", {}).size == 3);
  CHECK((first_row("\t\nx", {'\t', true}).fields == std::vector<std::string>{"", ""}));
  CHECK_THROWS(first_row("a,\"b", {}), DelimitedError);
}

void check_errors() {
  check_error("a,b\nc\n", 2, 11, "has 1 field where 2 were expected");
  check_error("a,b\nc,d\ne,f,g\n", 2, 12, "has 3 fields where 2 were expected");
  check_error("a,b\n\nc,d", 2, 11, "is blank");
  check_error("a,b\n \t\nc,d", 2, 11, "is blank");
  check_error("a b\n \t\nc d", 2, 11, "is blank", {'\0', true});
  check_error("a,b\n\"c\n\",d\ne,\"f\n\n", 2, 13, "a quote opens here and is never closed");
  check_error("a,\"b\nc\"d\n", 2, 11, "text follows a closing quote");
  check_error("a \"b\"c\n", 2, 10, "text follows a closing quote", {'\0', true});
  std::string bad_twice;  // The first bad line is the one named, whichever block is read first.
  for (int line = 0; line < 1000; ++line) bad_twice += line % 300 == 299 ? "x\n" : "x,y\n";
  check_error(bad_twice, 2, 10 + 299, "has 1 field where 2 were expected");
}

// Checks random tables: every block size and number of threads gives the labels of one block.
void check_blocks() {
  Random random(1);
  for (const std::uint64_t n_labels : {3U, 200U, 256U, 257U, 5000U}) {
    Table rows;
    std::string text;
    for (int row = 0; row < 3000; ++row) {
      std::vector<std::string>& cells = rows.emplace_back();
      for (int column = 0; column < 3; ++column) {
        const std::uint64_t label = random.below(n_labels);
        cells.push_back(std::string(label % 11, 'x') + std::to_string(label));
        text += cells.back() + (column == 2 ? "\n" : ",");
      }
    }
    const CodedText whole(text, 3, {}, 5, 1, no_control);
    CHECK(fields(whole) == rows);
    for (std::size_t column = 0; column < 3; ++column) {
      std::uint64_t total = 0;
      for (const std::uint64_t count : whole.counts(column)) total += count;
      CHECK(total == 3000);
      for (std::size_t label = 0; label < whole.labels(column).size(); ++label) {
        const std::uint64_t line = whole.lines(column)[label];
        CHECK(rows[line - 5][column] == whole.labels(column)[label]);
        for (std::size_t row = 0; row < line - 5; ++row) {
          CHECK(rows[row][column] != whole.labels(column)[label]);
        }
      }
    }
    for (const std::size_t block_bytes : {1, 100, 10000, 60000}) {
      for (const unsigned n_threads : {1U, 4U}) {
        const CodedText parts(text, 3, {}, 5, n_threads, no_control, block_bytes);
        CHECK(fields(parts) == rows);
        for (std::size_t column = 0; column < 3; ++column) {
          CHECK(parts.labels(column) == whole.labels(column));
          CHECK(parts.lines(column) == whole.lines(column));
          CHECK(parts.counts(column) == whole.counts(column));
        }
      }
    }
  }
}

class StopAfter final : public credenet::Control {
 public:
  explicit StopAfter(int polls) : left_(polls) {}
  bool poll(const credenet::Progress& progress) override {
    CHECK(progress.done > 0 && progress.done <= progress.total);
    return --left_ > 0;
  }

 private:
  int left_;
};

void check_stopping() {
  std::string text;
  for (int row = 0; row < 1000; ++row) text += "a,b\n";
  StopAfter at_once(1);
  CHECK(CodedText(text, 2, {}, 1, 1, at_once, 100).stopped());
  StopAfter never(1 << 30);
  CHECK(!CodedText(text, 2, {}, 1, 3, never, 100).stopped());
}

}  // namespace

int main() {
  check_fields();
  check_first_row();
  check_errors();
  check_blocks();
  check_stopping();
  return 0;
}
