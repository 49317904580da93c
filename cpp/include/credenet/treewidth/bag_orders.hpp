#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace credenet {

// The linear orders of the members 0, 1, …, size - 1 of a bag, numbered so that the order of the
// first s members alone has the number modulo s!. That is, order r of the first m members with
// member m put at place p has the number p * m! + r.
class BagOrders {
 public:
  explicit BagOrders(std::size_t size);

  [[nodiscard]] std::size_t n_orders() const { return n_orders_; }

  // The members that come before this one in each order, as bits.
  [[nodiscard]] const std::uint16_t* before(std::size_t member) const {
    return before_.data() + member * n_orders_;
  }

  // For each order, the number of the order that the members in the mask have among themselves. The
  // table is made at the first call.
  [[nodiscard]] const std::uint32_t* restriction(std::uint32_t mask);

 private:
  std::size_t size_;
  std::size_t n_orders_;
  std::vector<std::uint16_t> before_;
  std::vector<std::vector<std::uint32_t>> restrictions_;  // Restrictions by mask.
};

[[nodiscard]] constexpr std::size_t factorial(std::size_t n) {
  std::size_t product = 1;
  for (std::size_t factor = 2; factor <= n; ++factor) product *= factor;
  return product;
}

}  // namespace credenet
