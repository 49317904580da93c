#include "credenet/treewidth/bag_orders.hpp"

#include <bit>

namespace credenet {

BagOrders::BagOrders(std::size_t size)
    : size_(size),
      n_orders_(factorial(size)),
      before_(size * n_orders_),
      restrictions_(std::size_t{1} << size) {
  const auto earlier = [&](std::size_t member, std::size_t order) -> std::uint16_t& {
    return before_[member * n_orders_ + order];
  };
  for (std::size_t order = 0; order < n_orders_; ++order) {
    for (std::size_t member = 0; member < size; ++member) {
      const auto place = static_cast<int>(order / factorial(member) % (member + 1));
      for (std::size_t other = 0; other < member; ++other) {
        if (std::popcount(earlier(other, order)) < place) {
          earlier(member, order) = static_cast<std::uint16_t>(earlier(member, order) | 1U << other);
        } else {
          earlier(other, order) = static_cast<std::uint16_t>(earlier(other, order) | 1U << member);
        }
      }
    }
  }
}

const std::uint32_t* BagOrders::restriction(std::uint32_t mask) {
  std::vector<std::uint32_t>& table = restrictions_[mask];
  if (!table.empty()) return table.data();
  table.assign(n_orders_, 0);
  std::uint32_t weight = 1;
  std::uint32_t n_lower = 0;
  for (std::size_t member = 0; member < size_; ++member) {
    if ((mask >> member & 1) == 0) continue;
    const std::uint32_t lower = mask & ((1U << member) - 1);
    for (std::size_t order = 0; order < n_orders_; ++order) {
      const std::uint32_t earlier = before(member)[order] & lower;
      table[order] += weight * static_cast<std::uint32_t>(std::popcount(earlier));
    }
    weight *= ++n_lower;
  }
  return table.data();
}

}  // namespace credenet
