#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

// Choices read from the bytes of a fuzzer, one after another; zeros when they are used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  [[nodiscard]] std::uint8_t byte() {
    if (left_.empty()) return 0;
    const std::uint8_t first = left_[0];
    left_ = left_.subspan(1);
    return first;
  }
  // A number between least and most.
  [[nodiscard]] std::size_t number(std::size_t least, std::size_t most) {
    return least + byte() % (most - least + 1);
  }
  [[nodiscard]] std::size_t size() const { return left_.size(); }
  [[nodiscard]] std::string_view rest() const {
    return {reinterpret_cast<const char*>(left_.data()), left_.size()};
  }

 private:
  std::span<const std::uint8_t> left_;
};

// Crashes unless what must hold does: the fuzzer reports a crash.
inline void must(bool holds) {
  if (!holds) std::abort();
}
