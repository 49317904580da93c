#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/credible/family_choices.hpp"
#include "credenet/credible/network_diagram.hpp"
#include "credenet/credible/remaining_use.hpp"
#include "credenet/ilp/family_rows.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/flat_index.hpp"
#include "credenet/util/status.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {

// The sets of members that can be the first ones in an order of a network that scores at least the
// target, as far as dual values of rows tell. For variables that are no members the bound counts.
class DualLattice {
 public:
  // The rows, as far as they are cuts, with dual values that are not negative. At most 64 members.
  DualLattice(const FamilyRows& rows, std::span<const std::int32_t> numbers,
              std::span<const double> multipliers, std::span<const std::uint8_t> alive,
              std::span<const std::int32_t> members, double target);

  // Finds the sets; to be called first. Returns complete, stopped, or iteration limit if there are
  // more than max_sets, or so many of one size that there will be.
  [[nodiscard]] Status grow(std::size_t max_sets, unsigned n_threads, Control& control);
  [[nodiscard]] std::size_t n_sets() const { return n_sets_; }

  // The best network of the members, by their families among all of the rows; nothing if none
  // reaches the target.
  [[nodiscard]] std::vector<std::int64_t> best_families() const;

  // Marks each family of the rows by 1 if it is a member's and in a network of the members that
  // reaches the target, else by 0: exact up to rounding. Nothing if the control stopped it.
  [[nodiscard]] std::vector<std::uint8_t> families(Control& control) const;

  // Adds the networks of the members that reach the target to a diagram; the same on any number of
  // threads. Memory limit if the steps on the way take more.
  [[nodiscard]] FamilyChoices networks(const ChoiceNames& names, std::size_t max_bytes,
                                       unsigned n_threads, NetworkDiagram& diagram,
                                       Control& control) const;

 private:
  friend class SinkSteps;
  using Set = VariableSet<1>;

  // A family of a member; the score is relative to the best of the variable.
  struct Family {
    std::uint64_t parents = 0;  // Parents among the members, as bits.
    double score = 0;
    std::size_t number = 0;
  };
  // The sets of one size, the best score of each, and the bound of all other variables.
  struct Layer {
    FlatIndex<Set> sets;
    std::vector<double> scores;
    std::vector<double> bounds;
  };
  struct Found {
    Set set;
    double score = 0;
    double bound = 0;
  };

  void expand(const Layer& layer, std::size_t at, std::vector<Found>& found) const;
  static void take(const Found& found, Layer& layer);
  [[nodiscard]] const Family* best(std::size_t member, std::uint64_t available) const;

  std::size_t n_;
  std::vector<std::int32_t> members_;
  std::size_t n_families_;
  RemainingUse use_;
  std::vector<std::vector<Family>> lists_;  // One list for each member, best first.
  std::vector<double> most_;  // Largest score of a family of each member less its use of the rows.
  double first_bound_ = 0;    // Bound for all variables.
  double target_ = 0;         // Target relative to the best families, a little lower for rounding.
  std::vector<Layer> layers_;
  std::size_t n_sets_ = 0;
};

}  // namespace credenet
