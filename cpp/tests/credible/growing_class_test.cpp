#include "credenet/credible/growing_class.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "check.hpp"

using credenet::GrowingClass;

namespace {

using Order = std::vector<std::size_t>;
using Parents = std::vector<std::uint64_t>;

// The skeleton and the unshielded colliders.
std::pair<std::set<std::pair<std::size_t, std::size_t>>, std::set<std::vector<std::size_t>>>
class_of(const Parents& parents) {
  std::set<std::pair<std::size_t, std::size_t>> skeleton;
  const auto has = [&](std::size_t child, std::size_t a) { return (parents[child] >> a & 1) != 0; };
  for (std::size_t child = 0; child < parents.size(); ++child) {
    for (std::size_t a = 0; a < parents.size(); ++a) {
      if (has(child, a)) skeleton.insert(std::minmax(child, a));
    }
  }
  std::set<std::vector<std::size_t>> colliders;
  for (std::size_t child = 0; child < parents.size(); ++child) {
    for (std::size_t b = 0; b < parents.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (has(child, a) && has(child, b) && !skeleton.contains({a, b})) {
          colliders.insert({a, b, child});
        }
      }
    }
  }
  return {skeleton, colliders};
}

bool is_order_of(const Order& order, const Parents& parents) {
  std::uint64_t placed = 0;
  for (const std::size_t v : order) {
    if ((parents[v] & ~placed) != 0) return false;
    placed |= std::uint64_t{1} << v;
  }
  return true;
}

}  // namespace

// All networks of four variables in all their orders: a network grows in an order, without coming
// to a variable that could have come earlier, if and only if the order is the smallest of its
// class.
int main() {
  constexpr std::size_t kNodes = 4;
  Order order(kNodes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Order> orders;
  do {
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  std::vector<Parents> networks;
  for (std::uint64_t code = 0; code < 1U << (kNodes * kNodes); ++code) {
    Parents parents;
    for (std::size_t v = 0; v < kNodes; ++v) parents.push_back(code >> (kNodes * v) & 15);
    const bool is_dag =
        std::ranges::any_of(orders, [&](const Order& one) { return is_order_of(one, parents); });
    if (is_dag) networks.push_back(parents);
  }
  CHECK(networks.size() == 543);
  std::map<decltype(class_of(networks[0])), std::pair<Order, std::uint64_t>> classes;
  for (const Parents& parents : networks) {
    const auto first =
        std::ranges::find_if(orders, [&](const Order& one) { return is_order_of(one, parents); });
    auto& [smallest, size] =
        classes.try_emplace(class_of(parents), *first, std::uint64_t{0}).first->second;
    smallest = std::min(smallest, *first);
    ++size;
  }
  CHECK(classes.size() == 185);
  const std::vector<std::vector<std::int32_t>> outside{{}};
  const std::vector<std::uint64_t> any(kNodes, 15);
  for (const Parents& parents : networks) {
    const auto& [smallest, size] = classes.at(class_of(parents));
    for (const Order& one : orders) {
      if (!is_order_of(one, parents)) continue;
      GrowingClass grown(outside);
      bool grows = true;
      for (const std::size_t v : one) {
        grows = grows && !grown.comes_earlier(v, parents[v], 0);
        if (!grows) break;
        grown.add(v, parents[v], 0);
        CHECK(grown.can_go_on(any) || one != smallest);
      }
      CHECK(grows == (one == smallest));
      if (!grows) continue;
      CHECK(grown.n_networks() == size);
      CHECK(grown.size() == kNodes && grown.placed() == 15);
      for (std::size_t v = 0; v < kNodes; ++v) CHECK(grown.parents(v) == parents[v]);
      const GrowingClass::Sets joined = grown.joined();
      for (std::size_t left = kNodes; left > 0; --left) grown.remove_last();
      CHECK(grown.size() == 0 && grown.placed() == 0);
      for (const std::size_t v : one) grown.add(v, parents[v], 0);
      CHECK(grown.joined() == joined);
    }
  }
}
