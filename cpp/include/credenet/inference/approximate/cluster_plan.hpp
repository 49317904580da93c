#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "credenet/inference/approximate/cluster_graph.hpp"
#include "credenet/inference/approximate/gibbs.hpp"
#include "credenet/inference/approximate/loopy_propagation.hpp"
#include "credenet/inference/approximate/sample_search.hpp"
#include "credenet/inference/approximate/weighted_samples.hpp"
#include "credenet/inference/exact/sliced_model.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// The answer of an approximate method; a field that the method does not compute keeps its default.
struct ApproximateAnswer {
  std::vector<double> probabilities, standard_errors;  // One for each state of every variable.
  double log_value = std::numeric_limits<double>::quiet_NaN();
  double log_value_error = std::numeric_limits<double>::quiet_NaN();
  double effective_sample_size = 0;
  double iterations = 0;
  double scale_reduction = 1;
  std::uint64_t n_samples = 0, n_abandoned = 0, n_unsettled = 0;
  Status status = Status::kStopped;  // Infeasible if the evidence has probability 0.
};

// The evidence of a query: which variables have a known state or likelihoods, and the states and
// likelihoods.
struct GivenEvidence {
  bool directed = false;  // Whether the factors are those of a Bayesian network.
  std::vector<std::uint8_t> observed, weighted;
  std::vector<std::int32_t> states;
  std::vector<double> likelihoods;
};

// A model with evidence, and the graph of clusters that messages go through. The factors must
// outlive it.
class ClusterPlan {
 public:
  // Plans the factor graph without a bound. With largest_cells it plans the join graph of the
  // largest bound up to i_bound with at most so many cells, else that of i_bound.
  ClusterPlan(const FactorsView& factors, GivenEvidence given, std::size_t i_bound,
              double largest_cells, unsigned n_threads);

  [[nodiscard]] bool is_possible() const { return model_.is_possible; }
  [[nodiscard]] double cells() const { return graph_.cells; }
  // The bytes of the propagation; a proposal takes the cells of all clusters, too.
  [[nodiscard]] double bytes() const { return loopy_bytes(model_.view(), graph_); }
  [[nodiscard]] std::size_t i_bound() const;

  [[nodiscard]] ApproximateAnswer propagate(const LoopyOptions& options, Control& control) const;
  [[nodiscard]] ApproximateAnswer importance_sampling(std::size_t n_samples,
                                                      const LoopyOptions& options,
                                                      std::uint64_t seed, unsigned n_threads,
                                                      Control& control) const;
  [[nodiscard]] ApproximateAnswer gibbs_sampling(const GibbsOptions& options, std::uint64_t seed,
                                                 unsigned n_threads, Control& control) const;
  // Rows of states, a column for each variable of the whole model; see gibbs_rows.
  [[nodiscard]] ApproximateAnswer draw_rows(const GibbsOptions& options, std::uint64_t seed,
                                            unsigned n_threads, Control& control,
                                            std::vector<std::int32_t>& rows,
                                            std::vector<std::int64_t>& n_drawn) const;
  // Rows with weights; the proposal is that of importance sampling. See draw_weighted.
  [[nodiscard]] ApproximateAnswer weighted_rows(double wanted, std::size_t n_most,
                                                const LoopyOptions& options, std::uint64_t seed,
                                                unsigned n_threads, Control& control,
                                                WeightedRows& rows) const;
  [[nodiscard]] ApproximateAnswer likelihood_weighting(std::size_t n_samples, std::uint64_t seed,
                                                       unsigned n_threads, Control& control) const;

 private:
  [[nodiscard]] QueryShape shape() const {
    return {given_.observed, given_.weighted, {}, false, given_.directed, true};
  }
  [[nodiscard]] Evidence evidence() const { return {given_.states, given_.likelihoods}; }
  [[nodiscard]] SlicedModel slice(std::size_t i_bound, unsigned n_threads) const;
  [[nodiscard]] std::vector<double> known() const;
  [[nodiscard]] std::vector<double>::iterator place(std::vector<double>& values,
                                                    std::size_t variable) const;
  std::unique_ptr<JoinGraphProposal> propose(const LoopyOptions& options, Control& control,
                                             ApproximateAnswer& answer) const;

  FactorsView factors_;
  GivenEvidence given_;
  SlicedModel model_;
  ClusterGraph graph_;
  std::vector<std::size_t> offsets_;  // Offsets of the states of every variable.
};

}  // namespace credenet
