#pragma once

#include <vector>

#include "credenet/posterior/dag_sums.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The probability of a path from each variable to each other one, row by row; empty if the control
// stopped it. The sums must have been made backward, too.
//
// All of T, and no others, descend from i if i is placed after U, the rest, and no variable of T
// has all its parents in U. With g(J) the sum over all ways to place J last, the weight is f(U)
// A_i(U) times the sum over J in T of g(J) times the product over v in T \ J of -A_v(U) (Pensar et
// al. 2020). These sums are found for all i together, by halving the variables left out.
[[nodiscard]] std::vector<double> path_probabilities(const DagSums& sums, unsigned n_threads,
                                                     Control& control);

}  // namespace credenet
