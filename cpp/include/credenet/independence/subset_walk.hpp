#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace credenet {

// All subsets of one size of the places 0, …, n - 1, as ascending lists in lexicographic order.
class SubsetWalk {
 public:
  SubsetWalk(std::size_t n_places, std::size_t size) : n_places_(n_places), places_(size) {
    std::iota(places_.begin(), places_.end(), std::uint32_t{0});
    is_over_ = size > n_places;
  }

  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] std::span<const std::uint32_t> places() const { return places_; }

  void advance() { skip(places_.size()); }

  // Passes over all subsets that begin with the same places up to and including this one.
  void skip(std::size_t at) {
    const std::size_t size = places_.size();
    for (std::size_t moved = at < size ? at + 1 : size; moved-- > 0;) {
      if (places_[moved] + (size - moved) < n_places_) {
        ++places_[moved];
        for (std::size_t later = moved + 1; later < size; ++later) {
          places_[later] = places_[later - 1] + 1;
        }
        return;
      }
    }
    is_over_ = true;
  }

 private:
  std::size_t n_places_;
  std::vector<std::uint32_t> places_;
  bool is_over_ = false;
};

}  // namespace credenet
