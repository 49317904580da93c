#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "credenet/inference/exact/block_pattern.hpp"
#include "credenet/inference/exact/clique_tables.hpp"

namespace credenet {

// Walks the outer axes of a clique from block `first`, keeping the offset of every table.
class OuterWalk {
 public:
  OuterWalk(const CliqueTable& clique, std::span<const TableAccess* const> tables,
            std::size_t first, std::vector<std::size_t>& offsets)
      : clique_(clique), tables_(tables), offsets_(offsets), counters_(clique.n_outer) {
    offsets_.assign(tables.size(), 0);
    for (std::size_t axis = clique.n_outer; axis-- > 0;) {
      counters_[axis] = first % clique.sizes[axis];
      first /= clique.sizes[axis];
      for (std::size_t at = 0; at < tables.size(); ++at) {
        offsets_[at] += counters_[axis] * tables[at]->strides[axis];
      }
    }
  }

  // The first axis that changes; none after the last block.
  std::size_t next() {
    for (std::size_t axis = clique_.n_outer; axis-- > 0;) {
      const bool wraps = ++counters_[axis] == clique_.sizes[axis];
      for (std::size_t at = 0; at < tables_.size(); ++at) {
        const std::size_t stride = tables_[at]->strides[axis];
        offsets_[at] += stride;
        if (wraps) offsets_[at] -= stride * clique_.sizes[axis];
      }
      if (!wraps) return axis;
      counters_[axis] = 0;
    }
    return 0;
  }

 private:
  const CliqueTable& clique_;
  std::span<const TableAccess* const> tables_;
  std::vector<std::size_t>& offsets_;
  std::vector<std::size_t> counters_;
};

// The operands that change with an outer axis but with none inside it, and the product of these and
// of all that change less often.
struct Stage {
  std::size_t axis = 0;                      // 1 + the axis; 0 for operands that never change.
  std::vector<std::size_t> scalars, others;  // Places in the list of tables.
  std::vector<double> block;
  bool is_zero = false;
};

struct WalkScratch {
  std::vector<const TableAccess*> tables;  // Operands, then other tables whose offsets are needed.
  std::vector<Stage> stages;
  std::vector<std::size_t> offsets;
};

// Makes the stages, from the axes that change least often; returns their number.
inline std::size_t make_stages(const CliqueTable& clique, std::size_t n_operands,
                               WalkScratch& scratch) {
  std::size_t n_stages = 0;
  const auto start = [&](std::size_t axis) {
    if (scratch.stages.size() == n_stages) scratch.stages.emplace_back();
    Stage& stage = scratch.stages[n_stages++];
    stage.axis = axis;
    stage.scalars.clear();
    stage.others.clear();
    stage.block.resize(clique.block);
  };
  start(0);
  for (std::size_t axis = 0; axis <= clique.n_outer; ++axis) {
    for (std::size_t at = 0; at < n_operands; ++at) {
      const TableAccess& operand = *scratch.tables[at];
      if (operand.last_outer != axis) continue;
      if (scratch.stages[n_stages - 1].axis != axis) start(axis);
      Stage& stage = scratch.stages[n_stages - 1];
      const bool is_scalar = operand.pattern.run == clique.block && operand.pattern.stays;
      (is_scalar ? stage.scalars : stage.others).push_back(at);
    }
  }
  return n_stages;
}

// Calls visit(block, offsets) with the product of the operands (or the sum, if they are logs) on
// every block from first to last that is not zero throughout; offsets are those of the other
// tables.
template <bool kByLogs, typename Visit>
void walk_products(const CliqueTable& clique, WalkScratch& scratch,
                   std::span<const double* const> operands, double start, std::size_t first,
                   std::size_t last, Visit&& visit) {
  const std::size_t n_stages = make_stages(clique, operands.size(), scratch);
  const std::span stages(scratch.stages.data(), n_stages);
  const auto combine = [](double a, double b) { return kByLogs ? a + b : a * b; };
  OuterWalk walk(clique, scratch.tables, first, scratch.offsets);
  std::size_t changed = 0;
  for (std::size_t block = first; block < last; ++block, changed = walk.next() + 1) {
    for (std::size_t at = 0; at < n_stages; ++at) {
      Stage& stage = stages[at];
      if (stage.axis < changed) continue;
      double scalar = at == 0 ? start : (kByLogs ? 0.0 : 1.0);
      for (const std::size_t operand : stage.scalars) {
        scalar = combine(scalar, operands[operand][scratch.offsets[operand]]);
      }
      stage.is_zero = scalar == (kByLogs ? -INFINITY : 0.0) || (at > 0 && stages[at - 1].is_zero);
      if (stage.is_zero) continue;
      for (std::size_t cell = 0; cell < clique.block; ++cell) {
        stage.block[cell] = at == 0 ? scalar : combine(stages[at - 1].block[cell], scalar);
      }
      for (const std::size_t operand : stage.others) {
        const double* values = operands[operand] + scratch.offsets[operand];
        const BlockPattern& pattern = scratch.tables[operand]->pattern;
        if constexpr (kByLogs) {
          add_to_block(stage.block, values, pattern);
        } else {
          multiply_block(stage.block, values, pattern);
        }
      }
    }
    if (stages.back().is_zero) continue;
    visit(std::span<const double>(stages.back().block),
          std::span<const std::size_t>(scratch.offsets).subspan(operands.size()));
  }
}

}  // namespace credenet
