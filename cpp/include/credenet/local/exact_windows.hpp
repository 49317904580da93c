#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/local/order_lists.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Improves a network by windows: the families of a few variables are chosen anew, all at once and
// as well as possible, while those of all other variables stay.
//
// One object for each thread.
class ExactWindows {
 public:
  static constexpr std::size_t kFewMembers = 8;  // Members of most windows.
  static constexpr std::size_t kMostMembers = 14;
  static constexpr std::size_t kMostBytes = (kMostMembers * 4 + 9) << kMostMembers;

  explicit ExactWindows(const OrderLists& lists, std::size_t most_members = kMostMembers);

  // Optimises one window, drawn at random. The network is given by the position of each family in
  // its list; in the order every variable stands behind its parents. True if the score rises; then
  // the network has the new families, and another order.
  [[nodiscard]] bool improve(std::span<const std::int32_t> order,
                             std::span<const std::int32_t> places,
                             std::vector<std::int32_t>& families, Random& random);

  // The variables of the last window.
  [[nodiscard]] std::span<const std::int32_t> members() const { return members_; }

 private:
  void choose(std::span<const std::int32_t> order, std::span<const std::int32_t> places,
              std::span<const std::int32_t> families, Random& random);
  void add(std::int32_t variable, std::size_t most);
  void add_what_bars(std::int32_t variable, std::int32_t family,
                     std::span<const std::int32_t> families, std::size_t most, Random& random);
  void find_reached(std::span<const std::int32_t> order, std::span<const std::int32_t> places,
                    std::span<const std::int32_t> families);
  void find_best_families();
  [[nodiscard]] double find_best_orders();
  void take_best(std::vector<std::int32_t>& families) const;

  const OrderLists& lists_;
  std::size_t most_members_;
  std::vector<std::int32_t> members_;
  std::vector<std::int8_t> numbers_;  // Numbers of variables in the window, or -1.
  // Members, as bits, from which a path leads to each variable.
  std::vector<std::uint32_t> reached_;
  // Best family of each member, for each set of members that may come before it.
  std::vector<std::int32_t> best_;
  std::vector<double> sums_;         // Sum of each set of members in its best order.
  std::vector<std::uint8_t> lasts_;  // Last member of each set in its best order.
};

}  // namespace credenet
