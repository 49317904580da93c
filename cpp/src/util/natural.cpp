#include "credenet/util/natural.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "credenet/util/portable.hpp"

namespace credenet {

Natural& Natural::operator+=(const Natural& other) {
  std::uint64_t small_sum = 0;
  if (high_.empty() && other.high_.empty() && !add_overflows(low_, other.low_, small_sum)) {
    low_ = small_sum;
    return *this;
  }
  std::vector<std::uint64_t> digits(std::max(n_digits(), other.n_digits()) + 1);
  Wide carry = 0;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    carry += Wide{digit(at)} + other.digit(at);
    digits[at] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  set(digits);
  return *this;
}

Natural& Natural::operator*=(const Natural& other) {
  std::uint64_t small_product = 0;
  if (high_.empty() && other.high_.empty() &&
      !multiply_overflows(low_, other.low_, small_product)) {
    low_ = small_product;
    return *this;
  }
  std::vector<std::uint64_t> digits(n_digits() + other.n_digits());
  for (std::size_t i = 0; i < n_digits(); ++i) {
    Wide carry = 0;
    for (std::size_t j = 0; j < other.n_digits(); ++j) {
      carry += Wide{digit(i)} * other.digit(j) + digits[i + j];
      digits[i + j] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    digits[i + other.n_digits()] = static_cast<std::uint64_t>(carry);
  }
  set(digits);
  return *this;
}

bool Natural::operator==(const Natural& other) const {
  return low_ == other.low_ && std::ranges::equal(high_, other.high_);
}

void Natural::set(const std::vector<std::uint64_t>& digits) {
  low_ = digits[0];
  high_.assign(digits.begin() + 1, digits.end());
  while (!high_.empty() && high_.back() == 0) high_.pop_back();
}

std::optional<std::uint64_t> Natural::small() const {
  return high_.empty() ? std::optional(low_) : std::nullopt;
}

std::string Natural::hex() const {
  std::string text;
  for (std::size_t at = n_digits(); at-- > 0;) {
    std::array<char, 17> buffer{};
    std::snprintf(buffer.data(), buffer.size(), text.empty() ? "%llx" : "%016llx",
                  static_cast<unsigned long long>(digit(at)));
    text += buffer.data();
  }
  return text;
}

}  // namespace credenet
