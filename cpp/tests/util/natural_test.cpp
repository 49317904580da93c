#include "credenet/util/natural.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::Natural;
using credenet::Random;

namespace {

// Numbers as decimal digits, the last first, as in school.
using Digits = std::vector<int>;

Digits carried(Digits digits) {
  for (std::size_t at = 0; at < digits.size(); ++at) {
    if (digits[at] > 9 && at + 1 == digits.size()) digits.push_back(0);
    if (digits[at] > 9) digits[at + 1] += digits[at] / 10;
    digits[at] %= 10;
  }
  while (digits.size() > 1 && digits.back() == 0) digits.pop_back();
  return digits;
}

Digits slow_sum(const Digits& a, const Digits& b) {
  Digits sum(std::max(a.size(), b.size()), 0);
  for (std::size_t at = 0; at < a.size(); ++at) sum[at] += a[at];
  for (std::size_t at = 0; at < b.size(); ++at) sum[at] += b[at];
  return carried(sum);
}

Digits slow_product(const Digits& a, const Digits& b) {
  Digits product(a.size() + b.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  }
  return carried(product);
}

Digits from_small(std::uint64_t value) {
  const std::string text = std::to_string(value);
  Digits digits;
  for (auto at = text.rbegin(); at != text.rend(); ++at) digits.push_back(*at - '0');
  return digits;
}

Digits from_hex(const std::string& text) {
  Digits digits{0};
  for (const char c : text) {
    const int value = c <= '9' ? c - '0' : c - 'a' + 10;
    digits = slow_sum(slow_product(digits, {6, 1}), from_small(static_cast<std::uint64_t>(value)));
  }
  return digits;
}

}  // namespace

int main() {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    Natural number(random.below(100));
    Digits expected = from_small(*number.small());
    for (int step = 0; step < 12; ++step) {
      const std::uint64_t value = random.below(~std::uint64_t{0}) >> random.below(64);
      if (random.below(2) == 0) {
        number += value;
        expected = slow_sum(expected, from_small(value));
      } else {
        number *= value;
        expected = slow_product(expected, from_small(value));
      }
      if (random.below(4) == 0) {
        const Natural copy = number;
        number *= copy;
        expected = slow_product(expected, expected);
      }
      CHECK(from_hex(number.hex()) == expected);
      CHECK(!number.small() || from_small(*number.small()) == expected);
    }
  }
  Natural large(~std::uint64_t{0});
  CHECK(large.small() == ~std::uint64_t{0});
  large += 1;
  CHECK(!large.small());
  CHECK(large.hex() == "10000000000000000");
  large *= 0;
  CHECK(large == Natural(0));
}
