#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/ilp/family_rows.hpp"

namespace credenet {

// An upper bound on the share of the limits of rows that the variables outside a set of members can
// use if they may have the whole set as parents, times the dual values of the rows. For a cluster
// of many members the number of them in the set is enough; other cuts have few members and a table
// of their subsets. So each row has a table, in which every member of the set is a step.
class RemainingUse {
 public:
  static constexpr std::size_t kFewMembers = 10;

  // Rows that are no cuts, or have too many members for a table, are left out: see is_used.
  RemainingUse(const FamilyRows& rows, std::span<const std::int32_t> numbers,
               std::span<const double> multipliers, std::span<const std::uint8_t> alive,
               std::span<const std::int32_t> members);

  [[nodiscard]] std::size_t n_rows() const { return first_.size(); }
  [[nodiscard]] const std::vector<bool>& is_used() const { return is_used_; }

  // Finds the places of a set in the tables.
  void locate(std::uint64_t set, std::span<std::uint32_t> places) const;
  [[nodiscard]] double sum(std::span<const std::uint32_t> places) const;
  // How much sum falls if one more member joins the set.
  [[nodiscard]] double fall(std::span<const std::uint32_t> places, std::size_t member) const;
  // The sum of the largest magnitudes, for bounds on rounding.
  [[nodiscard]] double magnitude() const { return magnitude_; }

 private:
  struct Step {
    std::uint32_t row = 0;
    std::uint32_t size = 0;
  };
  struct Members;

  void add_cluster(const Cut& cut, bool counts_fewer, double multiplier, const Members& own);
  void add_small(const FamilyRows& rows, const Row& row, double multiplier,
                 std::span<const std::uint8_t> alive, const Members& own);
  void add(std::vector<double> table, double multiplier, const Members& own, bool is_counted);

  std::vector<bool> is_used_;                // Whether each of the given rows is used.
  std::vector<std::size_t> first_;           // First entry of each table.
  std::vector<double> tables_;               // Tables one after the other.
  std::vector<std::vector<Step>> steps_of_;  // Steps of each member.
  double magnitude_ = 0;
};

}  // namespace credenet
