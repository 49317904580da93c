#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/inference/exact/propagation.hpp"

namespace credenet {

// Rows of data as evidence: codes is column-major, columns says which column holds a variable (-1
// for none), and a cell with the missing code has no evidence.
template <typename Code>
struct EvidenceRows {
  const Code* codes;
  std::size_t n_rows;
  std::span<const std::int32_t> columns;
  Code missing;
};

// The distribution of the targets of a joint layout given each of the chosen rows, written to row r
// of out (row-major); not a number where a row has probability 0. Observed variables of the layout
// must have a value in every chosen row, weighted ones need not. False if the control stopped it.
template <typename Code>
bool predict(const FactorsView& factors, const PropagationLayout& layout,
             const EvidenceRows<Code>& rows, std::span<const std::int64_t> chosen,
             unsigned n_threads, Control& control, std::span<double> out);

// Draws from the posterior after collect by sums: column-major states, one column per variable; a
// variable that takes no part keeps its given state. The rows depend on the seed alone. False if
// the control stopped it.
bool draw_rows(const Propagation& propagation, std::span<const std::int32_t> states,
               std::size_t n_rows, std::uint64_t seed, unsigned n_threads, Control& control,
               std::vector<std::int32_t>& rows);

}  // namespace credenet
