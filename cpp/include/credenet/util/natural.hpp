#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace credenet {

// A non-negative whole number of any size.
class Natural {
 public:
  Natural(std::uint64_t value = 0) : low_(value) {}  // NOLINT(google-explicit-constructor)

  Natural& operator+=(const Natural& other);
  Natural& operator*=(const Natural& other);
  bool operator==(const Natural& other) const;

  // The number if it fits into 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> small() const;
  // The number in hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  [[nodiscard]] std::uint64_t digit(std::size_t at) const {
    return at == 0 ? low_ : at <= high_.size() ? high_[at - 1] : 0;
  }
  [[nodiscard]] std::size_t n_digits() const { return 1 + high_.size(); }
  void set(const std::vector<std::uint64_t>& digits);

  std::uint64_t low_;
  std::vector<std::uint64_t> high_;  // Higher digits to the base 2^64; the last is not 0.
};

}  // namespace credenet
