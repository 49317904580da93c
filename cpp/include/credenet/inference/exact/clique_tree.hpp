#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/inference/exact/factors.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct Clique {
  // The separator to the parent, then the variables summed out here; both with the variable
  // eliminated last in front. All tables have their axes in this order, so that a separator is made
  // of the slowest axes of its clique.
  std::vector<Node> members;
  std::size_t n_separator = 0;
  std::int32_t parent = -1;  // The parent clique; -1 for a root.
  std::vector<std::int32_t> children;
  bool is_maximised = false;  // Whether the variables eliminated here are maximised; all are alike.
};

// Cliques of a triangulation, the maximal ones and few others, as a forest that has the
// running-intersection property.
struct CliqueTree {
  std::vector<Clique> cliques;
  // The clique in which a variable is summed out; -1 if it takes no part.
  std::vector<std::int32_t> clique_of;
  // Position of a variable in the order; -1 if it takes no part.
  std::vector<std::int32_t> position;
  std::vector<std::uint8_t> relevant;  // 1 for factors that take part.
  std::size_t width = 0;               // Members of the largest clique less one.
  double cells = 0;                    // Cells of all cliques together.
  double largest = 0;                  // Cells of the largest clique.
  double separator_cells = 0;
};

// The tree for a query, with observed variables taken out of all scopes. Without an order it is
// the best of some min-weight and min-fill orders by the number of cells; the larger the tables,
// the more orders are tried. A given order lists every variable; those that take no part are passed
// over.
//
// Variables that are maximised over go after those summed out, as far as the table over a variable
// and its neighbours then has at most 2^log2_most cells; beyond that whichever is cheapest is next.
[[nodiscard]] CliqueTree clique_tree(const FactorsView& factors, const QueryShape& query,
                                     std::span<const Node> order, unsigned n_threads,
                                     Control& control,
                                     double log2_most = std::numeric_limits<double>::infinity());

}  // namespace credenet
