#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/local/exact_windows.hpp"
#include "credenet/local/order_lists.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// An order of the variables, each with its best family among those before it, improved by taking a
// variable out and inserting it elsewhere.
class InsertionSearch {
 public:
  explicit InsertionSearch(const OrderLists& lists);

  void set_order(std::span<const std::int32_t> order);
  // An order of an acyclic network, given by the position of each family in its list.
  void set_network(std::span<const std::int32_t> families, Random& random);
  [[nodiscard]] const std::vector<std::int32_t>& order() const { return order_; }
  [[nodiscard]] const std::vector<std::int32_t>& places() const { return places_; }
  [[nodiscard]] const std::vector<std::int32_t>& families() const { return families_; }
  [[nodiscard]] double score() const;
  [[nodiscard]] std::uint64_t n_evaluated() const { return n_evaluated_; }

  // Moves variables to better places until no insertion at all improves the score.
  void climb();
  // Exchanges the places of a few variables near each other; those that this concerns climb, and
  // what is worse in the end is undone. Now and then the new places are those in another order,
  // given as the place of each variable in it, or nothing.
  void iterate(std::span<const std::int32_t> guide, Random& random);
  // Optimises the families of a window; if that improves the score, those that it concerns climb.
  void optimise_window(ExactWindows& windows, Random& random);
  // Draws another order of the same network at random; the score can only rise.
  void redraw(Random& random);

 private:
  struct Step {
    std::int32_t place = 0;  // Place from which on the change holds.
    double change = 0;       // Change of the score.
  };
  struct Move {
    std::int32_t place = 0;  // Place before which the variable is inserted.
    double gain = 0;
  };

  [[nodiscard]] std::int32_t first_available(std::size_t variable, std::int32_t from) const;
  [[nodiscard]] bool available(std::size_t variable, std::int32_t k) const;
  [[nodiscard]] std::int32_t family_with(std::size_t parent, const OrderLists::Child& child);
  [[nodiscard]] std::int32_t family_without(std::size_t parent, std::size_t child);
  static constexpr std::size_t kMostMoves = 4;  // Moves of one perturbation at most.
  static constexpr std::size_t kMostFollowers = 24;

  [[nodiscard]] Move best_move(std::size_t variable);
  void move(std::size_t variable, std::int32_t place);
  void shake(Random& random);
  void follow(std::span<const std::int32_t> guide, Random& random);
  void enqueue(std::size_t variable);
  void enqueue_around(std::size_t variable);
  void climb_queue();

  const OrderLists& lists_;
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> places_;  // Place of each variable in the order.
  // Position of each variable's family in its list, or the list's size.
  std::vector<std::int32_t> families_;
  std::vector<std::int32_t> active_;  // Variables with neighbours.
  std::vector<std::int32_t> queue_;   // Variables whose best place may have changed.
  std::vector<std::uint8_t> queued_;
  std::vector<Step> steps_;
  std::vector<std::int32_t> kept_order_;
  std::vector<std::int32_t> kept_places_;
  std::vector<std::int32_t> kept_families_;
  std::uint64_t n_evaluated_ = 0;
};

}  // namespace credenet
