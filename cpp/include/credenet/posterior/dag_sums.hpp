#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/posterior/scaled_table.hpp"
#include "credenet/posterior/weight_table.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// Sums of the weights of all DAGs, by inclusion and exclusion over sets of sinks (Tian and He 2009;
// Pensar et al. 2020). With A_v(U) the sum of the weights of the families of v inside U,
//   f(S) = sum over U, a proper subset of S, of (-1)^(|S \ U| + 1) f(U) prod over v in S \ U of
//          A_v(U)
// is the sum over all DAGs of S, and g(U), the derivative of f(V) by f(U), the sum over all ways to
// place the other variables after U. All 3^n terms are gone through once forward and once backward.
// The sum is linear in the weight of each family, so the derivatives of f(V) by the A_v(U) give the
// probabilities of all families.
struct DagSums {
  std::size_t n_variables = 0;
  // Whether the sums are over orders and the DAGs of each: a DAG counts as often as it has orders.
  bool by_orders = false;
  double log_sum = 0;       // Log of the sum of exp(log weight); minus infinity without a DAG.
  bool is_cut = false;      // Whether families count as impossible whose weight has no Exponent.
  ScaledTable of_families;  // The sums A_v(U), those of one variable after another.
  ScaledTable forward;      // The sums f(U).
  ScaledTable backward;     // The sums g(U); empty unless asked for.
  std::vector<double> log_shift;  // Log shift of the weights of each variable.
  // The probabilities for each variable, indexed by the number of the set without it; empty unless
  // asked for.
  std::vector<double> family_probabilities;
};

// The memory that sums take, at most.
[[nodiscard]] std::uint64_t dag_sums_bytes(std::size_t n_variables, bool backward);

// Finds the log sum and the tables of families and forward sums only, or all. Null if the control
// stopped it.
[[nodiscard]] std::unique_ptr<DagSums> dag_sums(const WeightTable& weights, bool backward,
                                                unsigned n_threads, Control& control);

// The sums over all orders of the variables and the DAGs that each allows (Koivisto and Sood 2004).
[[nodiscard]] std::unique_ptr<DagSums> order_sums(const WeightTable& weights, bool backward,
                                                  unsigned n_threads, Control& control);

}  // namespace credenet
