#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/inference/exact/block_pattern.hpp"
#include "credenet/inference/exact/clique_tree.hpp"
#include "credenet/inference/exact/factors.hpp"

namespace credenet {

enum class Arena : std::uint8_t {
  kConstant,   // Tables that no evidence touches; the layout keeps them.
  kSliced,     // Tables cut by evidence, and likelihoods.
  kMessages,   // A message for each separator.
  kBeliefs,    // The distribution of a separator, then its ratio to the message.
  kMarginals,  // The distribution of a variable.
};

// A table as it is used along the cells of a clique.
struct TableAccess {
  Arena arena = Arena::kConstant;
  std::size_t begin = 0;
  std::size_t size = 1;
  std::vector<std::size_t> strides;  // One stride for each axis of the clique.
  BlockPattern pattern;              // Pattern along the block of inner axes of the clique.
  std::size_t last_outer = 0;        // 1 + the last outer axis that the table has; 0 if none.
};

// A factor with the observed axes taken out and the others in the order of its clique.
struct SlicedTable {
  std::size_t factor = 0;
  std::int32_t clique = -1;  // The clique that uses it; -1 if only a number is left.
  std::size_t begin = 0;     // Start of the table in its arena.
  std::size_t size = 1;
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> strides;  // Strides in the factor.
  // Observed variables with their strides in the factor.
  std::vector<std::pair<Node, std::size_t>> observed;
};

struct CliqueTable {
  std::vector<std::size_t> sizes;  // Sizes of the axes, which are the members of the clique.
  std::size_t n_outer = 0;         // Number of axes outside the block.
  std::size_t n_blocks = 1;
  std::size_t block = 1;              // Number of cells of a block.
  std::vector<TableAccess> operands;  // Factors, likelihoods and the messages of the children.
  TableAccess message;                // Message to the parent, or the table of a joint's root.
  TableAccess ratio;                  // Ratio of the separator's distribution to the message.
  std::vector<TableAccess> outputs;   // Beliefs of separators to children, and marginals.
  std::vector<std::int32_t> output_cliques;  // Child that each output goes to; -1 for a marginal.
  bool is_needed = false;                    // Whether the marginals of the targets need it.
};

// A table over axes of the given sizes, with the block of its inner axes chosen.
[[nodiscard]] CliqueTable empty_clique_table(std::vector<std::size_t> sizes);

// The access of a clique to a dense table over some of its members, which come in its order.
[[nodiscard]] TableAccess table_access(const CliqueTable& table, std::span<const Node> members,
                                       std::span<const Node> scope, Arena arena, std::size_t begin);

// The memory layout of a propagation. It depends on which variables have evidence, not on their
// states.
struct PropagationLayout {
  QueryShape query;  // The query; its spans point into the fields below.
  std::vector<std::uint8_t> observed, weighted, maximised;
  std::vector<Node> targets;
  CliqueTree tree;
  std::vector<CliqueTable> cliques;
  // Cliques by level, leaves first; parents are above all their children.
  std::vector<std::vector<std::int32_t>> levels;
  std::vector<double> constants;
  std::int64_t constant_exponent = 0;  // Exponent of the powers of two taken out of the constants.
  std::vector<SlicedTable> sliced;
  // Variables with likelihoods and their place among the slices.
  std::vector<std::pair<Node, std::size_t>> likelihoods;
  std::size_t sliced_size = 0, message_size = 0;
  std::vector<std::size_t> marginal_begin;  // Start of each variable's marginal, and the end.
  std::vector<std::int32_t> belief_home;  // Separator that a target's marginal is read from, or -1.
  std::int32_t joint_root = -1;

  PropagationLayout(const FactorsView& factors, const QueryShape& shape, CliqueTree cliques);
  PropagationLayout(const PropagationLayout&) = delete;
  PropagationLayout& operator=(const PropagationLayout&) = delete;
};

// Most cells of all copies of tables, to which threads add that share a table.
inline constexpr double kCopiedCells = 1 << 22;

// The memory of the layout and one propagation, before any of it is allocated.
[[nodiscard]] double propagation_bytes(const FactorsView& factors, const CliqueTree& tree);

// Copies a sliced factor for the given states and takes a power of two out, which is returned.
std::int64_t copy_slice(const FactorsView& factors, const SlicedTable& slice,
                        std::span<const std::int32_t> states, double* out);

// Scales so that the largest entry is in [1/2, 1); the exponent of the power of two taken out, 0
// for a table of zeros.
std::int64_t take_out_exponent(std::span<double> table);

}  // namespace credenet
