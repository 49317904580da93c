#pragma once

#include <span>

#include "credenet/counts/row_table.hpp"
#include "credenet/families/score_families.hpp"
#include "credenet/posterior/weight_table.hpp"
#include "credenet/scores/score.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The bytes that score_all_families takes, the weights included.
[[nodiscard]] std::uint64_t all_families_bytes(std::size_t n_variables, std::size_t n_rows);

// Scores every family that the rules allow. All sets of variables are gone through depth first: one
// more variable splits the rows of a set further, and rows that are alone in their cell are only
// counted. False if the control stopped it. For scores whose terms are sums of functions of a count
// (ScoreAbilities::sums_functions).
[[nodiscard]] bool score_all_families(const RowTable& rows, const ScoreSettings& settings,
                                      std::span<const ChildRules> rules, unsigned n_threads,
                                      Control& control, WeightTable& weights);

}  // namespace credenet
