#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "credenet/util/portable.hpp"

namespace credenet {

// Different deviations, ascending, with the number of networks that have each and their weight.
struct TickSums {
  std::vector<std::int64_t> ticks;
  std::vector<Wide> counts;
  std::vector<double> weights;

  [[nodiscard]] std::size_t size() const { return ticks.size(); }
  void add(std::int64_t tick, Wide count, double weight);
  // The place of a deviation that the list has.
  [[nodiscard]] std::size_t place(std::int64_t tick) const;
  // How many of the deviations are at most `most`.
  [[nodiscard]] std::size_t n_within(std::int64_t most) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(ticks, most) - ticks.begin());
  }
};

// Sums of products of several lists: entry k has the products of the first k lists.
using Products = std::vector<TickSums>;

// Multiplies the lists one after the other, beginning with one deviation and its weight. Products
// keep the deviations that leave room for the least of the lists that come later. Nothing if there
// are more different deviations than allowed.
[[nodiscard]] std::optional<Products> products_of(std::int64_t first, double weight,
                                                  std::span<const TickSums* const> lists,
                                                  std::int64_t most, std::size_t max_sums);

// Merges several lists; equal deviations become one.
[[nodiscard]] TickSums merged(std::vector<TickSums> parts);

// Running sums of the weights, from 0 to the sum of all.
[[nodiscard]] std::vector<double> running_weights(const TickSums& sums);

// Adds by how much a total changes with the weights of each list, given by how much it changes with
// those of all products.
void add_changes(const Products& products, std::span<const TickSums* const> lists,
                 std::vector<double> change, std::span<std::vector<double>* const> changes);

}  // namespace credenet
