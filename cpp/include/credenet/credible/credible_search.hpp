#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "credenet/credible/family_groups.hpp"
#include "credenet/families/family_lists.hpp"
#include "credenet/lattice/component_lists.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

struct CredibleLimits {
  // A network is credible if its deviation is at most most_ticks ticks. The deviation is the
  // optimum less its score, rounded to a multiple of tick. It is a whole number, so deviations of
  // several components have the same sum whoever adds them.
  double tick = 0;
  std::int64_t most_ticks = 0;
  // Most bytes that the networks may take.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  unsigned n_threads = 1;

  // Loss that a branch may have beyond most_ticks, in ticks: half a tick, as deviations are
  // rounded, and the rounding of sums on the way.
  static constexpr std::int64_t kMarginTicks = 8;

  // The loss that a branch may have.
  [[nodiscard]] double slack() const {
    return static_cast<double>(most_ticks + kMarginTicks) * tick;
  }
};

// Networks of a component, the best first.
struct CredibleNetworks {
  Status status = Status::kComplete;  // Other than kComplete if networks are missing.
  std::vector<std::int64_t> ticks;    // Deviation of each network, in ticks.
  // Position of every member's family in its list, for each network.
  std::vector<std::uint16_t> families;
  std::uint64_t n_expanded = 0;
};

// All credible networks of a component, whose parents outside are always available. Takes 8 bytes
// for each subset of the variables.
class CredibleSearch {
 public:
  // Most families of one variable: their positions have 16 bits.
  static constexpr std::size_t kMostFamilies = std::size_t{1} << 16;

  CredibleSearch(const FamilyLists& lists, std::span<const std::int32_t> members);

  // Finds the best score of every subset; to be called first. Returns optimal, infeasible or
  // stopped.
  [[nodiscard]] Status solve(unsigned n_threads, Control& control);

  // The score of the best network, and its families by their positions in the lists; minus infinity
  // and none if there is no network.
  [[nodiscard]] double optimum() const { return optimum_; }
  [[nodiscard]] const std::vector<std::int64_t>& best_families() const { return best_families_; }
  // The best score of every subset of the members, as bits.
  [[nodiscard]] std::span<const double> best_scores() const {
    return {best_.get(), std::size_t{1} << lists_.n_variables()};
  }

  // Marks each family of the members, in their order, by 1 if it is in a network that deviates by
  // at most slack, else by 0: exact up to rounding. Nothing if the control stopped it.
  [[nodiscard]] std::vector<std::uint8_t> credible_families(double slack, Control& control) const;

  // Restricts the search to some of its families; the best networks must be among theirs.
  void narrow(const FamilyLists& lists, std::span<const std::int32_t> members);

  // All credible networks, each once; the same on any number of threads if they are complete.
  [[nodiscard]] CredibleNetworks networks(const CredibleLimits& limits, Control& control) const;

 private:
  ComponentLists lists_;
  FamilyGroups groups_;
  std::unique_ptr<double[]> best_;
  double optimum_ = -std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> best_families_;
};

}  // namespace credenet
