#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/inference/approximate/cluster_graph.hpp"
#include "credenet/inference/approximate/gibbs.hpp"
#include "credenet/inference/approximate/likelihood_weighting.hpp"
#include "credenet/inference/approximate/loopy_propagation.hpp"
#include "credenet/inference/approximate/sample_search.hpp"
#include "credenet/inference/approximate/weighted_samples.hpp"
#include "credenet/inference/exact/sliced_model.hpp"
#include "factor_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using OutValues = nb::ndarray<double, nb::numpy, nb::ndim<1>>;
using OutStates = nb::ndarray<std::int32_t, nb::numpy, nb::ndim<1>>;

// What a method says; a field that it does not know keeps its default.
struct Answer {
  std::vector<double> probabilities, standard_errors;  // per state of every variable
  double log_value = std::numeric_limits<double>::quiet_NaN();
  double log_value_error = std::numeric_limits<double>::quiet_NaN();
  double effective_sample_size = 0;
  double iterations = 0, residual = 0;
  double scale_reduction = 1;
  std::uint64_t n_samples = 0, n_abandoned = 0, n_unsettled = 0;
  Status status = Status::kStopped;
};

// Evidence worked into a model, and the graph of clusters that messages go through.
class ClusterPlan {
 public:
  // With largest_cells, the join graph of the largest bound up to i_bound with at most so many;
  // without a bound the factor graph.
  ClusterPlan(FactorArrays factors, bool directed, const Vector<std::uint8_t>& observed,
              const Vector<std::uint8_t>& weighted, const Vector<std::int32_t>& states,
              const Vector<double>& likelihoods, std::size_t i_bound, double largest_cells,
              unsigned n_threads)
      : factors_(std::move(factors)),
        observed_(observed.data(), observed.data() + observed.size()),
        weighted_(weighted.data(), weighted.data() + weighted.size()),
        states_(states.data(), states.data() + states.size()),
        likelihoods_(likelihoods.data(), likelihoods.data() + likelihoods.size()) {
    const nb::gil_scoped_release release;
    NoControl no_control;
    const FactorsView view = factors_.view_all();
    std::vector<Node> order;
    if (i_bound > 0) order = order_of_model(view, shape(directed), n_threads, no_control).order;
    model_ = std::make_unique<SlicedModel>(view, shape(directed), evidence(), order);
    const FactorsView sliced = model_->view();
    if (i_bound == 0) {
      graph_ = factor_graph(sliced);
    } else if (largest_cells > 0) {
      graph_ = largest_join_graph(sliced, i_bound, largest_cells);
    } else {
      graph_ = join_graph(sliced, i_bound);
    }
    offsets_.push_back(0);
    for (const std::int32_t n_states : view.n_states) {
      offsets_.push_back(offsets_.back() + static_cast<std::size_t>(n_states));
    }
  }

  [[nodiscard]] bool is_possible() const { return model_->is_possible; }
  [[nodiscard]] bool is_tree() const { return graph_.is_tree; }
  [[nodiscard]] double cells() const { return graph_.cells; }
  // Of the propagation; a proposal takes the cells of all clusters too.
  [[nodiscard]] double bytes() const { return loopy_bytes(model_->view(), graph_); }
  [[nodiscard]] std::size_t i_bound() const {
    std::size_t most = 1;
    for (const auto& cluster : graph_.clusters) most = std::max(most, cluster.members.size());
    return most - 1;
  }

  Answer propagate(double damping, std::size_t max_iterations, double tolerance,
                   const OnProgress& on_progress) {
    Answer answer;
    answer.status = run(on_progress, [&](Control& control) {
      LoopyPropagation propagation(model_->view(), graph_);
      const Status status =
          settle(propagation, {damping, max_iterations, tolerance}, control, answer);
      if (status == Status::kInfeasible) return status;
      answer.probabilities = known();
      for (std::size_t variable = 0; variable < model_->n_variables(); ++variable) {
        std::ranges::copy(propagation.marginal(static_cast<Node>(variable)),
                          place(answer.probabilities, variable));
      }
      answer.log_value = propagation.log_value() + model_->log_constant;
      return status;
    });
    return answer;
  }

  Answer importance_sampling(std::size_t n_samples, double damping, std::size_t max_iterations,
                             double tolerance, std::uint64_t seed, unsigned n_threads,
                             const OnProgress& on_progress) {
    Answer answer;
    answer.status = run(on_progress, [&](Control& control) {
      const auto [status, proposal] =
          propose({damping, max_iterations, tolerance}, control, answer);
      if (!proposal) return status;
      SearchRecord record;
      bool finished = false;
      const WeightedTally tally = tally_samples(
          n_samples, offsets_, seed, n_threads, control,
          [&] { return SampleSearch(*model_, *proposal, record); }, finished);
      read(tally, answer);
      answer.log_value += model_->log_constant;
      answer.n_unsettled = record.n_unsettled;
      return record.is_impossible ? Status::kInfeasible : ended(finished);
    });
    return answer;
  }

  Answer gibbs_sampling(std::size_t n_samples, std::size_t burn_in, std::size_t n_chains,
                        std::size_t thin, std::uint64_t seed, unsigned n_threads,
                        const OnProgress& on_progress) {
    Answer answer;
    answer.status = run(on_progress, [&](Control& control) {
      const auto [status, proposal] = propose(kStartOptions, control, answer);
      if (!proposal) return status;
      SearchRecord record;
      const GibbsEstimate estimate =
          gibbs(*model_, *proposal, record, {n_samples, burn_in, n_chains, thin}, seed, n_threads,
                control);
      answer.n_samples = estimate.n_samples;
      const Status end = record.is_impossible ? Status::kInfeasible : estimate.status;
      answer.scale_reduction = estimate.scale_reduction;
      answer.effective_sample_size = estimate.effective_sample_size;
      answer.n_abandoned = n_chains - estimate.n_chains;
      if (estimate.n_samples == 0) return end;
      answer.probabilities = known();
      answer.standard_errors.assign(offsets_.back(), 0.0);
      for (std::size_t variable = 0; variable < model_->n_variables(); ++variable) {
        const auto first = static_cast<std::ptrdiff_t>(model_->state_offsets[variable]);
        const auto count = model_->n_states[variable];
        std::copy_n(estimate.probabilities.begin() + first, count,
                    place(answer.probabilities, variable));
        std::copy_n(estimate.standard_errors.begin() + first, count,
                    place(answer.standard_errors, variable));
      }
      return end;
    });
    return answer;
  }

  // Empty where no chain could start; with the answer that says why.
  std::pair<Answer, OutStates> draw_rows(std::size_t n_rows, std::size_t burn_in,
                                         std::size_t n_chains, std::size_t thin, std::uint64_t seed,
                                         unsigned n_threads, const OnProgress& on_progress) {
    Answer answer;
    std::vector<std::int32_t> rows;
    answer.status = run(on_progress, [&](Control& control) {
      const auto [status, proposal] = propose(kStartOptions, control, answer);
      if (!proposal) return status;
      for (const std::int32_t state : states_) rows.insert(rows.end(), n_rows, state);
      SearchRecord record;
      const bool finished =
          gibbs_rows(*model_, *proposal, record, {n_rows, burn_in, n_chains, thin}, seed, n_threads,
                     control, rows);
      return record.is_impossible ? Status::kInfeasible : ended(finished);
    });
    return {std::move(answer), to_array(std::move(rows))};
  }

  Answer weigh(std::size_t n_samples, std::uint64_t seed, unsigned n_threads,
               const OnProgress& on_progress) {
    Answer answer;
    answer.status = run(on_progress, [&](Control& control) {
      const std::vector<std::int32_t> order = order_along_arcs(factors_.view_all());
      bool finished = false;
      const WeightedTally tally = tally_samples(
          n_samples, offsets_, seed, n_threads, control,
          [&] { return LikelihoodWeighting(factors_.view_all(), shape(true), evidence(), order); },
          finished);
      read(tally, answer);
      return finished;
    });
    return answer;
  }

 private:
  [[nodiscard]] QueryShape shape(bool directed) const {
    return {observed_, weighted_, {}, false, directed, true};
  }
  [[nodiscard]] Evidence evidence() const { return {states_, likelihoods_}; }

  // Probabilities with a 1 for every known state.
  [[nodiscard]] std::vector<double> known() const {
    std::vector<double> values(offsets_.back(), 0.0);
    for (std::size_t variable = 0; variable < observed_.size(); ++variable) {
      if (observed_[variable]) {
        values[offsets_[variable] + static_cast<std::size_t>(states_[variable])] = 1;
      }
    }
    return values;
  }

  [[nodiscard]] std::vector<double>::iterator place(std::vector<double>& values,
                                                    std::size_t variable) const {
    const auto whole = static_cast<std::size_t>(model_->variables[variable]);
    return values.begin() + static_cast<std::ptrdiff_t>(offsets_[whole]);
  }

  Status settle(LoopyPropagation& propagation, const LoopyOptions& options, Control& control,
                Answer& answer) const {
    const Status outcome = propagation.run(options, control);
    answer.iterations = propagation.iterations();
    answer.residual = propagation.residual();
    return outcome;
  }

  // How the messages ended; no proposal if the model is impossible or the control stopped them.
  std::pair<Status, std::unique_ptr<JoinGraphProposal>> propose(const LoopyOptions& options,
                                                                Control& control,
                                                                Answer& answer) const {
    LoopyPropagation propagation(model_->view(), graph_);
    const Status status = settle(propagation, options, control, answer);
    if (status == Status::kInfeasible || status == Status::kStopped) return {status, nullptr};
    return {status, std::make_unique<JoinGraphProposal>(*model_, graph_, propagation,
                                                        status == Status::kComplete)};
  }

  static void read(const WeightedTally& tally, Answer& answer) {
    answer.n_samples = tally.n_samples();
    answer.n_abandoned = tally.n_abandoned();
    if (!tally.has_weight()) return;
    answer.probabilities = tally.probabilities();
    answer.standard_errors = tally.standard_errors();
    answer.log_value = tally.log_mean();
    answer.log_value_error = tally.log_mean_error();
    answer.effective_sample_size = tally.effective_sample_size();
  }

  FactorArrays factors_;
  std::vector<std::uint8_t> observed_, weighted_;
  std::vector<std::int32_t> states_;
  std::vector<double> likelihoods_;
  std::unique_ptr<SlicedModel> model_;
  ClusterGraph graph_;
  std::vector<std::size_t> offsets_;  // of the states of every variable
};

}  // namespace

void bind_approximate(nb::module_& module) {
  nb::class_<Answer>(module, "ApproximateAnswer", "What an approximate method found.")
      .def("probabilities",
           [](const Answer& self) { return to_array(std::vector(self.probabilities)); })
      .def("standard_errors",
           [](const Answer& self) { return to_array(std::vector(self.standard_errors)); })
      .def_ro("log_value", &Answer::log_value)
      .def_ro("log_value_error", &Answer::log_value_error)
      .def_ro("effective_sample_size", &Answer::effective_sample_size)
      .def_ro("iterations", &Answer::iterations)
      .def_ro("residual", &Answer::residual)
      .def_ro("scale_reduction", &Answer::scale_reduction)
      .def_ro("n_samples", &Answer::n_samples)
      .def_ro("n_abandoned", &Answer::n_abandoned)
      .def_ro("n_unsettled", &Answer::n_unsettled)
      .def_ro("status", &Answer::status, "Infeasible where the evidence has probability 0.");
  nb::class_<ClusterPlan>(module, "ClusterPlan", "A graph of clusters for a model with evidence.")
      .def(nb::init<FactorArrays, bool, const Vector<std::uint8_t>&, const Vector<std::uint8_t>&,
                    const Vector<std::int32_t>&, const Vector<double>&, std::size_t, double,
                    unsigned>(),
           "factors"_a, "directed"_a, "observed"_a.noconvert(), "weighted"_a.noconvert(),
           "states"_a.noconvert(), "likelihoods"_a.noconvert(), "i_bound"_a, "largest_cells"_a,
           "n_threads"_a)
      .def_prop_ro("is_possible", &ClusterPlan::is_possible)
      .def_prop_ro("is_tree", &ClusterPlan::is_tree)
      .def_prop_ro("cells", &ClusterPlan::cells)
      .def_prop_ro("bytes", &ClusterPlan::bytes)
      .def_prop_ro("i_bound", &ClusterPlan::i_bound)
      .def("propagate", &ClusterPlan::propagate, "damping"_a, "max_iterations"_a, "tolerance"_a,
           "on_progress"_a.none() = nb::none())
      .def("importance_sampling", &ClusterPlan::importance_sampling, "n_samples"_a, "damping"_a,
           "max_iterations"_a, "tolerance"_a, "seed"_a, "n_threads"_a,
           "on_progress"_a.none() = nb::none())
      .def("gibbs", &ClusterPlan::gibbs_sampling, "n_samples"_a, "burn_in"_a, "n_chains"_a,
           "thin"_a, "seed"_a, "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("gibbs_rows", &ClusterPlan::draw_rows, "n_rows"_a, "burn_in"_a, "n_chains"_a, "thin"_a,
           "seed"_a, "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("likelihood_weighting", &ClusterPlan::weigh, "n_samples"_a, "seed"_a, "n_threads"_a,
           "on_progress"_a.none() = nb::none());
}

}  // namespace credenet::python
