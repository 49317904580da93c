#include "credenet/credible/tick_sums.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <queue>

namespace credenet {
namespace {

// The sums of each deviation of one list and each of the other, within a limit.
TickSums product(const TickSums& one, const TickSums& other, std::int64_t most) {
  if (one.size() > other.size()) return product(other, one, most);
  // The sums with each entry of the first list ascend; these lists are merged.
  using Head = std::pair<std::int64_t, std::uint32_t>;  // A sum, and the place in the first list.
  std::vector<std::uint32_t> next(one.size(), 0);
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  const auto push = [&](std::uint32_t at) {
    if (next[at] == other.size()) return;
    const std::int64_t sum = one.ticks[at] + other.ticks[next[at]];
    if (sum <= most) heads.push({sum, at});
  };
  for (std::uint32_t at = 0; at < one.size(); ++at) push(at);
  TickSums result;
  while (!heads.empty()) {
    const auto [sum, at] = heads.top();
    heads.pop();
    const std::uint32_t place = next[at]++;
    result.add(sum, one.counts[at] * other.counts[place], one.weights[at] * other.weights[place]);
    push(at);
  }
  return result;
}

// Whether the product takes few additions for the number of sums.
bool is_small(const TickSums& one, const TickSums& other, std::size_t max_sums) {
  constexpr std::size_t kPairs = 16;  // Additions for each sum, as equal sums become one.
  return one.size() <= kPairs * max_sums / std::max<std::size_t>(other.size(), 1);
}

}  // namespace

void TickSums::add(std::int64_t tick, Wide count, double weight) {
  if (!ticks.empty() && ticks.back() == tick) {
    counts.back() += count;
    weights.back() += weight;
    return;
  }
  assert(ticks.empty() || ticks.back() < tick);
  ticks.push_back(tick);
  counts.push_back(count);
  weights.push_back(weight);
}

std::size_t TickSums::place(std::int64_t tick) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(ticks, tick) - ticks.begin());
}

std::optional<Products> products_of(std::int64_t first, double weight,
                                    std::span<const TickSums* const> lists, std::int64_t most,
                                    std::size_t max_sums) {
  Products products(1);
  products[0].add(first, 1, weight);
  std::int64_t later = 0;
  for (const TickSums* list : lists) later += list->ticks.front();
  for (const TickSums* list : lists) {
    later -= list->ticks.front();
    if (!is_small(products.back(), *list, max_sums)) return {};
    products.push_back(product(products.back(), *list, most - later));
    if (products.back().size() > max_sums) return {};
  }
  return products;
}

TickSums merged(std::vector<TickSums> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    for (std::uint32_t at = 0; at < parts[part].size(); ++at) order.emplace_back(part, at);
  }
  std::ranges::stable_sort(
      order, {}, [&](const auto& place) { return parts[place.first].ticks[place.second]; });
  TickSums result;
  for (const auto& [part, at] : order) {
    result.add(parts[part].ticks[at], parts[part].counts[at], parts[part].weights[at]);
  }
  return result;
}

std::vector<double> running_weights(const TickSums& sums) {
  std::vector<double> running(sums.size() + 1, 0.0);
  std::partial_sum(sums.weights.begin(), sums.weights.end(), running.begin() + 1);
  return running;
}

void add_changes(const Products& products, std::span<const TickSums* const> lists,
                 std::vector<double> change, std::span<std::vector<double>* const> changes) {
  for (std::size_t k = lists.size(); k > 0; --k) {
    const TickSums& all = products[k];
    const TickSums& before = products[k - 1];
    const TickSums& list = *lists[k - 1];
    std::vector<double> change_before(before.size(), 0.0);
    for (std::size_t b = 0; b < list.size(); ++b) {
      double sum = 0;
      std::size_t place = 0;
      for (std::size_t a = 0; a < before.size(); ++a) {
        const std::int64_t ticks = before.ticks[a] + list.ticks[b];
        if (all.ticks.empty() || ticks > all.ticks.back()) break;
        const auto from = all.ticks.begin() + static_cast<std::ptrdiff_t>(place);
        place = static_cast<std::size_t>(std::lower_bound(from, all.ticks.end(), ticks) -
                                         all.ticks.begin());
        if (place == all.size() || all.ticks[place] != ticks) continue;
        sum += before.weights[a] * change[place];
        change_before[a] += list.weights[b] * change[place];
      }
      (*changes[k - 1])[b] += sum;
    }
    change = std::move(change_before);
  }
}

}  // namespace credenet
