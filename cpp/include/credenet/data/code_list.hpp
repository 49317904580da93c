#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credenet {

// The codes of rows, a byte each while all are below 256.
class CodeList {
 public:
  void add(std::uint32_t code) {
    if (code < 256 && wide_.empty()) {
      narrow_.push_back(static_cast<std::uint8_t>(code));
      return;
    }
    if (wide_.empty()) {
      wide_.assign(narrow_.begin(), narrow_.end());
      narrow_ = {};
    }
    wide_.push_back(code);
  }

  void reserve(std::size_t n_rows) { narrow_.reserve(n_rows); }
  [[nodiscard]] std::size_t size() const { return narrow_.size() + wide_.size(); }

  template <typename Use>
  void for_each(Use&& use) const {
    for (const std::uint8_t code : narrow_) use(std::uint32_t{code});
    for (const std::uint32_t code : wide_) use(code);
  }

  // Sets out[row] to code_of[code of that row]; out may be longer.
  template <typename Code>
  void write(std::span<const Code> code_of, std::span<Code> out) const {
    std::size_t row = 0;
    for_each([&](std::uint32_t code) { out[row++] = code_of[code]; });
  }

 private:
  std::vector<std::uint8_t> narrow_;
  std::vector<std::uint32_t> wide_;
};

}  // namespace credenet
