#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/util/control.hpp"

namespace credenet {

// The forward and backward sums of DagSums where doubles hold all numbers.
//
// The variables are split into a low and a high part. All sets with the same high part are a tile
// of contiguous numbers. From the tile of a high part to those of its supersets, the terms are a
// matrix times a matrix: one row for each low part of S, one column for each low part of U, zero
// unless the one holds the other, with a column of the second matrix for each set of high variables
// that is added. So the inner loop multiplies and adds contiguous numbers.
class TiledSums {
 public:
  // Takes A_v(U), for one variable after another.
  TiledSums(std::size_t n_variables, std::span<const double> of_families, unsigned n_threads);

  // Finds f of all sets. False if the control stopped it.
  [[nodiscard]] bool add_forward(std::span<double> forward, Control& control);
  // Finds g of all sets, and the derivative of f(V) by each A_v(U). False if the control stopped
  // it.
  [[nodiscard]] bool add_backward(std::span<const double> forward, std::span<double> backward,
                                  std::span<double> derivatives, Control& control);

 private:
  struct Room;

  // Products of -A_v(U) over subsets of the low variables outside U, for all U of a tile.
  void fill_products(std::uint32_t high, Room& room) const;
  void finish_tile(std::uint32_t high, Room& room, std::span<double> forward) const;
  void push_tile(std::uint32_t high, std::uint32_t top, Room& room,
                 std::span<double> forward) const;
  void pull_tile(std::uint32_t high, Room& room, std::span<const double> forward,
                 std::span<double> backward, std::span<double> derivatives) const;
  void pull_block(std::uint32_t high, std::uint32_t fixed, std::uint32_t free, Room& room,
                  std::span<const double> backward) const;
  void pull_inside(std::uint32_t high, Room& room, std::span<double> backward) const;
  [[nodiscard]] double factor(std::size_t variable, std::uint32_t set) const;
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> layers() const;

  std::size_t n_;
  std::size_t n_low_;
  std::size_t n_high_;
  // Number of last variables, whose presence in S chooses the block of a thread.
  std::size_t n_top_;
  std::span<const double> of_families_;
  unsigned n_threads_;
  std::vector<std::uint16_t> supersets_;  // Supersets of each low part in turn.
  std::vector<std::uint32_t> begins_;     // Start of the supersets of each low part.
};

}  // namespace credenet
