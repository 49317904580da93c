#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/lattice/heuristics/heuristic.hpp"
#include "credenet/lattice/order_graph.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// Dynamic pattern databases, the k-cycle conflict heuristic (Yuan and Malone 2012). A pattern is a
// set of at most k variables with the loss that acyclicity forces on it even when all other
// variables are available. If patterns P have weights x_P >= 0 that sum to at most 1 at every
// variable, the unplaced variables together lose at least sum x_P loss(P): each of them loses at
// least what it loses within P, for every P.
//
// For k = 2 the best such weights are found exactly, as a fractional matching, which is at least as
// strong as a maximum weight matching (x in {0, 1}) and cheaper. The heuristic is then consistent:
// taking v out changes the sum by at most the largest loss of a pair with v, and v placed before
// the other of that pair loses as much. For larger k disjoint patterns (x = 1) are chosen greedily,
// largest loss first: still a bound, but not consistent.
class CyclePatterns final : public Heuristic {
 public:
  [[nodiscard]] static std::size_t bytes(std::size_t n_variables, std::size_t cycle_size);

  CyclePatterns(const ComponentLists& lists, const OrderGraph& graph, std::size_t cycle_size,
                Control& control);

  // Whether the patterns are complete. If the control stopped it, there is no heuristic.
  [[nodiscard]] bool is_complete() const { return is_complete_; }

  [[nodiscard]] double operator()(std::uint64_t placed) const override;

 private:
  struct Pattern {
    std::uint64_t members;
    double loss;
  };

  void list_patterns(const OrderGraph& graph, std::size_t cycle_size, Control& control);

  SimpleHeuristic simple_;
  std::uint64_t everything_;
  std::vector<double> pair_losses_;  // Losses of pairs, used for k = 2.
  std::vector<Pattern> patterns_;    // Patterns, used for larger k.
  bool is_complete_ = true;
};

}  // namespace credenet
