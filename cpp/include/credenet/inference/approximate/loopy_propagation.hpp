#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/inference/approximate/cluster_graph.hpp"
#include "credenet/inference/exact/product_walk.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

struct LoopyOptions {
  double damping = 0;  // Share of the old message in the log of a new one.
  std::size_t max_iterations = 100;
  double tolerance = 1e-6;
};

// Messages between the clusters of a graph until they settle; see the source file.
class LoopyPropagation {
 public:
  LoopyPropagation(const FactorsView& factors, const ClusterGraph& graph);

  // Complete if the messages settled, infeasible if some cluster has no state left: the product of
  // the factors is 0 throughout.
  [[nodiscard]] Status run(const LoopyOptions& options, Control& control);

  // Updates per cluster so far.
  [[nodiscard]] double iterations() const;

  // P(variable) by the smallest cluster that has it.
  [[nodiscard]] std::vector<double> marginal(Node variable);
  // The marginal as logs that are not scaled; minus infinity only for an excluded state.
  [[nodiscard]] std::vector<double> log_marginal(Node variable);
  // The logs of the cells of a cluster, the largest 0.
  [[nodiscard]] std::vector<double> log_belief(std::int32_t cluster);
  // The log of the sum of the product of all factors: the sum over the clusters less the sum over
  // the links. Exact where the graph is a tree and messages have settled, else neither a bound nor
  // an estimate of known error.
  [[nodiscard]] double log_value();

 private:
  struct Port {
    std::int32_t neighbour;
    std::size_t in, out, size;  // Places of the messages and their size, in cells.
  };
  struct Place {
    CliqueTable table;  // Operands: factors, then the messages in. Outputs: the messages out.
    std::vector<Port> ports;
  };

  void list_operands(const Place& place);
  double largest_cell(const Place& place);
  bool update(std::int32_t cluster, double damping);
  void precise_sums(const Place& place, std::size_t port, std::span<double> sums);
  double send(const Port& port, std::span<double> logs, double damping);
  double log_sum(const Place& place);
  void set_priority(std::int32_t cluster, double priority);

  const FactorsView factors_;
  const ClusterGraph& graph_;
  std::vector<double> log_tables_;
  std::vector<Place> places_;
  std::vector<double> messages_;  // Logs of the messages; the largest of each is 0.
  std::vector<double> sums_;      // Sums of the current cluster, per cell of its messages out.
  std::vector<double> priorities_;
  // Priorities and clusters; entries with an old priority are skipped.
  std::vector<std::pair<double, std::int32_t>> heap_;
  WalkScratch scratch_;
  std::vector<const double*> operands_;
  std::vector<double> terms_;
  std::uint64_t updates_ = 0;
};

// The memory of a propagation.
[[nodiscard]] double loopy_bytes(const FactorsView& factors, const ClusterGraph& graph);

}  // namespace credenet
