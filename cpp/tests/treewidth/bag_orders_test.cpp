#include "credenet/treewidth/bag_orders.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "check.hpp"

using credenet::BagOrders;
using credenet::factorial;

namespace {

// The members of the mask in an order: the one with fewer before it comes first.
std::vector<std::size_t> sequence(const BagOrders& orders, std::size_t order, std::size_t size,
                                  std::uint32_t mask) {
  std::vector<std::size_t> members;
  for (std::size_t member = 0; member < size; ++member) {
    if ((mask >> member & 1) != 0) members.push_back(member);
  }
  std::ranges::sort(members, [&](std::size_t a, std::size_t b) {
    return (orders.before(b)[order] >> a & 1) != 0;
  });
  return members;
}

}  // namespace

int main() {
  for (std::size_t size = 0; size <= 6; ++size) {
    BagOrders orders(size);
    CHECK(orders.n_orders() == factorial(size));
    const auto all = static_cast<std::uint32_t>((1U << size) - 1);
    std::set<std::vector<std::size_t>> seen;
    for (std::size_t order = 0; order < orders.n_orders(); ++order) {
      const auto members = sequence(orders, order, size, all);
      seen.insert(members);
      std::uint32_t earlier = 0;
      for (const std::size_t member : members) {
        CHECK(orders.before(member)[order] == earlier);
        earlier |= 1U << member;
      }
    }
    CHECK(seen.size() == factorial(size));
    for (std::uint32_t mask = 0; mask <= all; ++mask) {
      // The members of the mask are numbered 0, 1, … as a bag of their own.
      std::vector<std::size_t> kept;
      for (std::size_t member = 0; member < size; ++member) {
        if ((mask >> member & 1) != 0) kept.push_back(member);
      }
      const BagOrders fewer(kept.size());
      for (std::size_t order = 0; order < orders.n_orders(); ++order) {
        const std::size_t restricted = orders.restriction(mask)[order];
        std::vector<std::size_t> expected;
        for (const std::size_t at :
             sequence(fewer, restricted, kept.size(), (1U << kept.size()) - 1)) {
          expected.push_back(kept[at]);
        }
        CHECK(sequence(orders, order, size, mask) == expected);
        if (mask == (1U << kept.size()) - 1) CHECK(restricted == order % factorial(kept.size()));
      }
    }
  }
  return 0;
}
