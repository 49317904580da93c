#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace credenet {

__extension__ using WideCount = unsigned __int128;

// Different deviations, ascending, with the number of networks that have each and their weight.
struct TickSums {
  std::vector<std::int64_t> ticks;
  std::vector<WideCount> counts;
  std::vector<double> weights;

  [[nodiscard]] std::size_t size() const { return ticks.size(); }
  void add(std::int64_t tick, WideCount count, double weight);
  // The place of a deviation that is there.
  [[nodiscard]] std::size_t place(std::int64_t tick) const;
};

// The sums of products of several lists: of the first none, one, two, ... of them.
using Products = std::vector<TickSums>;

// Those of one deviation alone, and each list after the other, up to a deviation that leaves room
// for the least of the lists that come later, of which the last may be left out. Nothing if there
// are more different deviations than allowed.
[[nodiscard]] std::optional<Products> products_of(std::int64_t first, double weight,
                                                  std::span<const TickSums* const> lists,
                                                  std::int64_t most, std::size_t max_sums);

// Puts equal deviations of several lists together.
[[nodiscard]] TickSums merged(std::vector<TickSums> parts);

// The sums of weights, from nothing to all.
[[nodiscard]] std::vector<double> running_weights(const TickSums& sums);

// Given by how much a total changes with the weights of all products, adds by how much it changes
// with those of each list.
void add_changes(const Products& products, std::span<const TickSums* const> lists,
                 std::vector<double> change, std::span<std::vector<double>* const> changes);

}  // namespace credenet
