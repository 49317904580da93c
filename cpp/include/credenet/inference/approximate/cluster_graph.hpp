#pragma once

#include <cstdint>
#include <vector>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/inference/exact/factors.hpp"

namespace credenet {

// Clusters of variables that share all factors between them, and links along which they send
// messages. The links that have a variable in their separator join the clusters that have it into a
// tree, so every variable is counted once.
struct ClusterGraph {
  struct Cluster {
    std::vector<Node> members;  // Variables, ascending.
    std::vector<std::size_t> factors;
  };
  struct Link {
    std::int32_t first, second;
    std::vector<Node> separator;  // Variables, ascending.
  };

  std::vector<Cluster> clusters;
  std::vector<Link> links;
  // Clusters in which each variable of a join graph is the last member; at least one.
  std::vector<std::vector<std::int32_t>> buckets;
  double cells = 0;            // Cells of all clusters.
  double separator_cells = 0;  // Cells of all links.
  // Whether this is a join graph without split buckets; then propagation is exact.
  bool is_tree = false;
};

// A cluster for every factor of several variables and one for every variable: belief propagation.
[[nodiscard]] ClusterGraph factor_graph(const FactorsView& factors);

// The join graph of mini-buckets with at most i_bound + 1 variables each, more only where a factor
// has more. Variables are eliminated from the last to the first; what falls into one bucket is put
// together greedily, largest scopes first (Dechter, Kask and Mateescu 2002). Scopes are ascending.
[[nodiscard]] ClusterGraph join_graph(const FactorsView& factors, std::size_t i_bound);

// The join graph of the largest bound, at least 1 and at most most_bound, with at most so many
// cells.
[[nodiscard]] ClusterGraph largest_join_graph(const FactorsView& factors, std::size_t most_bound,
                                              double most_cells);

}  // namespace credenet
