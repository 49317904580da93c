#include "credenet/data/coded_strings.hpp"

#include <string_view>

namespace credenet {

void CodedStrings::add(const StringChunk& chunk) {
  codes_.reserve(codes_.size() + chunk.cells.size());
  for (std::size_t row = 0; row < chunk.cells.size(); ++row) {
    const std::size_t bit = chunk.first_bit + row;
    if (chunk.known != nullptr && (chunk.known[bit / 8] >> (bit % 8) & 1) == 0) {
      if (!missing_) missing_ = dictionary_.code_apart(n_rows());
      codes_.add(*missing_);
      continue;
    }
    const StringCell& cell = chunk.cells[row];
    const auto size = static_cast<std::size_t>(cell.size);
    const char* begin = reinterpret_cast<const char*>(&cell) + sizeof(cell.size);
    const char* end = begin + StringCell::kMostInside;
    if (cell.size > StringCell::kMostInside) {
      const auto buffer = static_cast<std::size_t>(cell.buffer);
      begin = chunk.buffers[buffer] + cell.begin;
      end = chunk.buffers[buffer] + chunk.buffer_sizes[buffer];
    }
    codes_.add(dictionary_.code(std::string_view(begin, size), end, n_rows()));
  }
}

std::vector<std::uint64_t> CodedStrings::counts() const {
  std::vector<std::uint64_t> counts(labels().size());
  codes_.for_each([&](std::uint32_t code) { ++counts[code]; });
  return counts;
}

}  // namespace credenet
