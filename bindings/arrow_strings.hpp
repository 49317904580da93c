// The C data interface of Arrow, as far as a stream of string views needs it:
// https://arrow.apache.org/docs/format/CDataInterface.html
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "credenet/data/coded_strings.hpp"

namespace credenet::python {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

// A schema or an array, released at the end.
template <typename Part>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  ArrowOwner(const ArrowOwner&) = delete;
  ArrowOwner& operator=(const ArrowOwner&) = delete;
  ArrowOwner(ArrowOwner&&) = delete;
  ArrowOwner& operator=(ArrowOwner&&) = delete;
  ~ArrowOwner() {
    if (part.release != nullptr) part.release(&part);
  }

  Part part{};
};

// The strings of all chunks of a stream.
inline CodedStrings read_strings(ArrowArrayStream& stream) {
  ArrowOwner<ArrowSchema> schema;
  if (stream.get_schema(&stream, &schema.part) != 0 || std::strcmp(schema.part.format, "vu") != 0) {
    throw std::invalid_argument("the column does not come as string views");
  }
  CodedStrings strings;
  for (;;) {
    ArrowOwner<ArrowArray> array;
    if (stream.get_next(&stream, &array.part) != 0) {
      throw std::runtime_error("the column cannot be read");
    }
    const ArrowArray& part = array.part;
    if (part.release == nullptr) return strings;
    // The buffers are: bits of the rows that have a string, cells, long strings, and the sizes of
    // the long strings' buffers.
    const auto n_long = static_cast<std::size_t>(part.n_buffers - 3);
    const auto offset = static_cast<std::size_t>(part.offset);
    strings.add({
        .cells = {static_cast<const StringCell*>(part.buffers[1]) + offset,
                  static_cast<std::size_t>(part.length)},
        .buffers = {reinterpret_cast<const char* const*>(part.buffers + 2), n_long},
        .buffer_sizes = {static_cast<const std::int64_t*>(part.buffers[part.n_buffers - 1]),
                         n_long},
        .known = static_cast<const std::uint8_t*>(part.buffers[0]),
        .first_bit = offset,
    });
  }
}

}  // namespace credenet::python
