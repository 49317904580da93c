#include "credenet/inference/approximate/cluster_plan.hpp"

#include <algorithm>

#include "credenet/inference/approximate/likelihood_weighting.hpp"

namespace credenet {
namespace {

void read(const WeightedTally& tally, bool finished, ApproximateAnswer& answer) {
  answer.status = ended(finished);
  answer.n_samples = tally.n_samples();
  answer.n_abandoned = tally.n_abandoned();
  if (!tally.has_weight()) return;
  answer.probabilities = tally.probabilities();
  answer.standard_errors = tally.standard_errors();
  answer.log_value = tally.log_mean();
  answer.log_value_error = tally.log_mean_error();
  answer.effective_sample_size = tally.effective_sample_size();
}

ClusterGraph graph_of(const FactorsView& factors, std::size_t i_bound, double largest_cells) {
  if (i_bound == 0) return factor_graph(factors);
  if (largest_cells > 0) return largest_join_graph(factors, i_bound, largest_cells);
  return join_graph(factors, i_bound);
}

}  // namespace

ClusterPlan::ClusterPlan(const FactorsView& factors, GivenEvidence given, std::size_t i_bound,
                         double largest_cells, unsigned n_threads)
    : factors_(factors),
      given_(std::move(given)),
      model_(slice(i_bound, n_threads)),
      graph_(graph_of(model_.view(), i_bound, largest_cells)),
      offsets_{0} {
  for (const std::int32_t n_states : factors.n_states) {
    offsets_.push_back(offsets_.back() + static_cast<std::size_t>(n_states));
  }
}

SlicedModel ClusterPlan::slice(std::size_t i_bound, unsigned n_threads) const {
  NoControl no_control;
  std::vector<Node> order;
  if (i_bound > 0) order = order_of_model(factors_, shape(), n_threads, no_control).order;
  return {factors_, shape(), evidence(), order};
}

std::size_t ClusterPlan::i_bound() const {
  std::size_t most = 1;
  for (const auto& cluster : graph_.clusters) most = std::max(most, cluster.members.size());
  return most - 1;
}

ApproximateAnswer ClusterPlan::propagate(const LoopyOptions& options, Control& control) const {
  ApproximateAnswer answer;
  LoopyPropagation propagation(model_.view(), graph_);
  answer.status = propagation.run(options, control);
  answer.iterations = propagation.iterations();
  if (answer.status == Status::kInfeasible) return answer;
  answer.probabilities = known();
  for (std::size_t variable = 0; variable < model_.n_variables(); ++variable) {
    std::ranges::copy(propagation.marginal(static_cast<Node>(variable)),
                      place(answer.probabilities, variable));
  }
  answer.log_value = propagation.log_value() + model_.log_constant;
  return answer;
}

ApproximateAnswer ClusterPlan::importance_sampling(std::size_t n_samples,
                                                   const LoopyOptions& options, std::uint64_t seed,
                                                   unsigned n_threads, Control& control) const {
  ApproximateAnswer answer;
  const auto proposal = propose(options, control, answer);
  if (!proposal) return answer;
  SearchRecord record;
  bool finished = false;
  const WeightedTally tally = tally_samples(
      n_samples, offsets_, seed, n_threads, control,
      [&] { return SampleSearch(model_, *proposal, record); }, finished);
  read(tally, finished, answer);
  answer.log_value += model_.log_constant;
  answer.n_unsettled = record.n_unsettled;
  if (record.is_impossible) answer.status = Status::kInfeasible;
  return answer;
}

ApproximateAnswer ClusterPlan::gibbs_sampling(const GibbsOptions& options, std::uint64_t seed,
                                              unsigned n_threads, Control& control) const {
  ApproximateAnswer answer;
  const auto proposal = propose(kStartOptions, control, answer);
  if (!proposal) return answer;
  SearchRecord record;
  const GibbsEstimate estimate =
      gibbs(model_, *proposal, record, options, seed, n_threads, control);
  answer.n_samples = estimate.n_samples;
  answer.status = record.is_impossible ? Status::kInfeasible : estimate.status;
  answer.scale_reduction = estimate.scale_reduction;
  answer.effective_sample_size = estimate.effective_sample_size;
  answer.n_abandoned = options.n_chains - estimate.n_chains;
  if (estimate.n_samples == 0) return answer;
  answer.probabilities = known();
  answer.standard_errors.assign(offsets_.back(), 0.0);
  for (std::size_t variable = 0; variable < model_.n_variables(); ++variable) {
    const auto first = static_cast<std::ptrdiff_t>(model_.state_offsets[variable]);
    const auto count = model_.n_states[variable];
    std::copy_n(estimate.probabilities.begin() + first, count,
                place(answer.probabilities, variable));
    std::copy_n(estimate.standard_errors.begin() + first, count,
                place(answer.standard_errors, variable));
  }
  return answer;
}

ApproximateAnswer ClusterPlan::draw_rows(const GibbsOptions& options, std::uint64_t seed,
                                         unsigned n_threads, Control& control,
                                         std::vector<std::int32_t>& rows,
                                         std::vector<std::int64_t>& n_drawn) const {
  ApproximateAnswer answer;
  rows.clear();
  n_drawn.assign(options.n_chains, 0);
  const auto proposal = propose(kStartOptions, control, answer);
  if (!proposal) return answer;
  for (const std::int32_t state : given_.states) {
    rows.insert(rows.end(), options.n_samples, state);
  }
  SearchRecord record;
  answer.status =
      gibbs_rows(model_, *proposal, record, options, seed, n_threads, control, rows, n_drawn);
  if (record.is_impossible) answer.status = Status::kInfeasible;
  return answer;
}

ApproximateAnswer ClusterPlan::weighted_rows(double wanted, std::size_t n_most,
                                             const LoopyOptions& options, std::uint64_t seed,
                                             unsigned n_threads, Control& control,
                                             WeightedRows& rows) const {
  ApproximateAnswer answer;
  const auto proposal = propose(options, control, answer);
  if (!proposal) return answer;
  SearchRecord record;
  bool finished = false;
  const WeightedTally tally = draw_weighted(
      wanted, n_most, offsets_, given_.states, seed, n_threads, control,
      [&] { return SampleSearch(model_, *proposal, record); }, rows, finished);
  read(tally, finished, answer);
  answer.log_value += model_.log_constant;
  answer.n_unsettled = record.n_unsettled;
  if (record.is_impossible) answer.status = Status::kInfeasible;
  return answer;
}

ApproximateAnswer ClusterPlan::likelihood_weighting(std::size_t n_samples, std::uint64_t seed,
                                                    unsigned n_threads, Control& control) const {
  ApproximateAnswer answer;
  const std::vector<std::int32_t> order = order_along_arcs(factors_);
  bool finished = false;
  const WeightedTally tally = tally_samples(
      n_samples, offsets_, seed, n_threads, control,
      [&] { return LikelihoodWeighting(factors_, shape(), evidence(), order); }, finished);
  read(tally, finished, answer);
  return answer;
}

// Probabilities with a 1 for every known state.
std::vector<double> ClusterPlan::known() const {
  std::vector<double> values(offsets_.back(), 0.0);
  for (std::size_t variable = 0; variable < given_.observed.size(); ++variable) {
    if (given_.observed[variable]) {
      values[offsets_[variable] + static_cast<std::size_t>(given_.states[variable])] = 1;
    }
  }
  return values;
}

std::vector<double>::iterator ClusterPlan::place(std::vector<double>& values,
                                                 std::size_t variable) const {
  const auto whole = static_cast<std::size_t>(model_.variables[variable]);
  return values.begin() + static_cast<std::ptrdiff_t>(offsets_[whole]);
}

// The proposal of the model. Nothing if the model is impossible or the control stopped the
// propagation.
std::unique_ptr<JoinGraphProposal> ClusterPlan::propose(const LoopyOptions& options,
                                                        Control& control,
                                                        ApproximateAnswer& answer) const {
  LoopyPropagation propagation(model_.view(), graph_);
  answer.status = propagation.run(options, control);
  answer.iterations = propagation.iterations();
  if (answer.status == Status::kInfeasible || answer.status == Status::kStopped) return nullptr;
  return std::make_unique<JoinGraphProposal>(model_, graph_, propagation,
                                             answer.status == Status::kComplete);
}

}  // namespace credenet
