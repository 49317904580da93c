#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace credenet {

// An exponent of two. Weights of DAGs differ by about as many bits as the data have rows.
using Exponent = std::int64_t;

// The number 2^exponent; 0 if that is too small for a double.
template <std::signed_integral Whole>
double power_of_two(Whole exponent) {
  const Whole biased = std::clamp<Whole>(exponent + 1023, 0, 2046);
  return std::bit_cast<double>(static_cast<std::uint64_t>(biased) << 52);
}

// A number with a power of two of its own: weights of DAGs differ by more than a double can hold.
struct Scaled {
  // Exponent of 0; 26 of them can be added.
  static constexpr Exponent kZero = -(Exponent{1} << 56);

  double value = 0;
  Exponent exponent = kZero;

  // The number with a value of at least 1 and less than 2, or 0.
  static Scaled normal(double value, Exponent exponent) {
    if (value == 0) return {};
    // Bits of the exponent of a double.
    constexpr std::uint64_t kBits = std::uint64_t{0x7ff} << 52;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto biased = static_cast<Exponent>((bits & kBits) >> 52);
    if (biased == 0) return normal(value * 0x1p60, exponent - 60);  // The number is subnormal.
    return {std::bit_cast<double>((bits & ~kBits) | std::uint64_t{1023} << 52),
            exponent + biased - 1023};
  }
  [[nodiscard]] Scaled normal() const { return normal(value, exponent); }
  static Scaled one() { return {1.0, 0}; }

  [[nodiscard]] double log2() const { return std::log2(value) + static_cast<double>(exponent); }
  Scaled operator*(const Scaled& other) const {
    return {value * other.value, std::max(exponent + other.exponent, kZero)};
  }
  Scaled operator+(const Scaled& other) const {
    const Exponent larger = std::max(exponent, other.exponent);
    return {value * power_of_two(std::max<Exponent>(exponent - larger, -1023)) +
                other.value * power_of_two(std::max<Exponent>(other.exponent - larger, -1023)),
            larger};
  }
  Scaled operator-() const { return {-value, exponent}; }
  // How many times another number this is, which may be beyond the range of doubles.
  [[nodiscard]] double over(const Scaled& other) const {
    return value / other.value *
           power_of_two(std::clamp<Exponent>(exponent - other.exponent, -1023, 1023));
  }
};

// A double with the operations of Scaled, for use if doubles hold all numbers.
struct Plain {
  double value = 0;

  [[nodiscard]] Plain normal() const { return *this; }
  static Plain one() { return {1.0}; }
  Plain operator*(const Plain& other) const { return {value * other.value}; }
  Plain operator+(const Plain& other) const { return {value + other.value}; }
  Plain operator-() const { return {-value}; }
  [[nodiscard]] double over(const Plain& other) const { return value / other.value; }
};

// Numbers of which each has an exponent; or, if doubles hold them all, none has.
class ScaledTable {
 public:
  ScaledTable() = default;
  ScaledTable(std::size_t size, bool has_exponents)
      : values(size, 0.0), exponents(has_exponents ? size : 0, Scaled::kZero) {}

  [[nodiscard]] Scaled operator[](std::size_t at) const {
    return {values[at], exponents.empty() ? (values[at] == 0 ? Scaled::kZero : 0) : exponents[at]};
  }
  void set(std::size_t at, const Scaled& number) {
    values[at] = number.value;
    exponents[at] = number.exponent;
  }

  std::vector<double> values;
  std::vector<Exponent> exponents;
};

}  // namespace credenet
