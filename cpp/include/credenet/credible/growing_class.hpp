#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credenet {

// A network of at most 64 variables that grows by one variable at a time, parents first, and stands
// for its Markov equivalence class: of all orders of all networks of the class, the order in which
// it grew is the smallest, compared place by place.
//
// Variables may have parents outside, which come before all others and of which nothing is known
// but whose parents they are; colliders of two of them are the same in all networks compared.
class GrowingClass {
 public:
  using Sets = std::array<std::uint64_t, 64>;

  // Takes the sets of parents outside, ascending, which are named by their positions.
  explicit GrowingClass(const std::vector<std::vector<std::int32_t>>& outside)
      : outside_sets_(outside) {}

  [[nodiscard]] std::uint64_t placed() const { return placed_; }
  [[nodiscard]] std::size_t size() const { return n_placed_; }
  // The parents of a variable, and the variables that are joined to it.
  [[nodiscard]] std::uint64_t parents(std::size_t variable) const { return parents_[variable]; }
  [[nodiscard]] const Sets& joined() const { return joined_; }

  // Whether a new variable with these parents, all of them placed, could come earlier in the order
  // of a network of the new class. If not, it may be added.
  [[nodiscard]] bool comes_earlier(std::size_t variable, std::uint64_t parents,
                                   std::uint32_t outside) const;
  void add(std::size_t variable, std::uint64_t parents, std::uint32_t outside);
  void remove_last();

  // Whether each variable that is left, and smaller than one that was placed before it, may have a
  // parent for which it had to wait; the parents that variables may have are given for all.
  [[nodiscard]] bool can_go_on(std::span<const std::uint64_t> candidates) const;

  // The number of networks of the class; 0 if it does not fit into 64 bits.
  [[nodiscard]] std::uint64_t n_networks() const;

 private:
  [[nodiscard]] bool can_be_next(std::uint64_t before, std::uint64_t next, std::uint64_t parents,
                                 std::uint32_t outside) const;
  [[nodiscard]] bool has_extension(std::uint64_t before, const Sets& into) const;
  [[nodiscard]] bool outside_is_within(std::uint32_t set, std::uint32_t other) const;
  [[nodiscard]] std::uint64_t unshielded_parents(std::size_t child) const;

  const std::vector<std::vector<std::int32_t>>& outside_sets_;
  std::size_t n_placed_ = 0;
  std::uint64_t placed_ = 0;
  std::array<std::uint8_t, 64> order_{};
  Sets parents_{};
  Sets joined_{};  // Placed variables that are joined to each variable.
  std::array<std::uint32_t, 64> outside_{};
};

}  // namespace credenet
