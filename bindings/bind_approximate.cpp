#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/inference/approximate/cluster_plan.hpp"
#include "factor_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using OutStates = nb::ndarray<std::int32_t, nb::numpy, nb::ndim<1>>;
using OutCounts = nb::ndarray<std::int64_t, nb::numpy, nb::ndim<1>>;
using OutWeights = nb::ndarray<double, nb::numpy, nb::ndim<1>>;

template <typename T>
std::vector<T> copy_of(const Vector<T>& array) {
  return {array.data(), array.data() + array.size()};
}

// A plan and the factors that it needs. Its name differs from the plan of exact inference, because
// nanobind tells types apart by their names.
class OwnedPlan {
 public:
  OwnedPlan(FactorArrays factors, bool directed, const Vector<std::uint8_t>& observed,
            const Vector<std::uint8_t>& weighted, const Vector<std::int32_t>& states,
            const Vector<double>& likelihoods, std::size_t i_bound, double largest_cells,
            unsigned n_threads)
      : factors_(std::move(factors)) {
    const GilRelease release;
    plan_ =
        std::make_unique<ClusterPlan>(factors_.view_all(),
                                      GivenEvidence{directed, copy_of(observed), copy_of(weighted),
                                                    copy_of(states), copy_of(likelihoods)},
                                      i_bound, largest_cells, n_threads);
  }

  const ClusterPlan* operator->() const { return plan_.get(); }

 private:
  FactorArrays factors_;
  std::unique_ptr<ClusterPlan> plan_;
};

ApproximateAnswer propagate(const OwnedPlan& plan, double damping, std::size_t max_iterations,
                            double tolerance, const OnProgress& on_progress) {
  return run(on_progress, [&](Control& control) {
    return plan->propagate({damping, max_iterations, tolerance}, control);
  });
}

ApproximateAnswer importance_sampling(const OwnedPlan& plan, std::size_t n_samples, double damping,
                                      std::size_t max_iterations, double tolerance,
                                      std::uint64_t seed, unsigned n_threads,
                                      const OnProgress& on_progress) {
  return run(on_progress, [&](Control& control) {
    return plan->importance_sampling(n_samples, {damping, max_iterations, tolerance}, seed,
                                     n_threads, control);
  });
}

ApproximateAnswer gibbs_sampling(const OwnedPlan& plan, std::size_t n_samples, std::size_t burn_in,
                                 std::size_t n_chains, std::size_t thin, std::uint64_t seed,
                                 unsigned n_threads, const OnProgress& on_progress) {
  return run(on_progress, [&](Control& control) {
    return plan->gibbs_sampling({n_samples, burn_in, n_chains, thin}, seed, n_threads, control);
  });
}

std::tuple<ApproximateAnswer, OutStates, OutCounts> draw_rows(
    const OwnedPlan& plan, std::size_t n_rows, std::size_t burn_in, std::size_t n_chains,
    std::size_t thin, std::uint64_t seed, unsigned n_threads, const OnProgress& on_progress) {
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> n_drawn;
  ApproximateAnswer answer = run(on_progress, [&](Control& control) {
    return plan->draw_rows({n_rows, burn_in, n_chains, thin}, seed, n_threads, control, rows,
                           n_drawn);
  });
  return {std::move(answer), to_array(std::move(rows)), to_array(std::move(n_drawn))};
}

std::tuple<ApproximateAnswer, OutStates, OutWeights> weighted_rows(
    const OwnedPlan& plan, double wanted, std::size_t n_most, double damping,
    std::size_t max_iterations, double tolerance, std::uint64_t seed, unsigned n_threads,
    const OnProgress& on_progress) {
  WeightedRows rows;
  ApproximateAnswer answer = run(on_progress, [&](Control& control) {
    return plan->weighted_rows(wanted, n_most, {damping, max_iterations, tolerance}, seed,
                               n_threads, control, rows);
  });
  return {std::move(answer), to_array(std::move(rows.states)),
          to_array(std::move(rows.log_weights))};
}

ApproximateAnswer likelihood_weighting(const OwnedPlan& plan, std::size_t n_samples,
                                       std::uint64_t seed, unsigned n_threads,
                                       const OnProgress& on_progress) {
  return run(on_progress, [&](Control& control) {
    return plan->likelihood_weighting(n_samples, seed, n_threads, control);
  });
}

}  // namespace

void bind_approximate(nb::module_& module) {
  nb::class_<ApproximateAnswer>(module, "ApproximateAnswer", "What an approximate method found.")
      .def("probabilities",
           [](const ApproximateAnswer& self) { return to_array(std::vector(self.probabilities)); })
      .def(
          "standard_errors",
          [](const ApproximateAnswer& self) { return to_array(std::vector(self.standard_errors)); })
      .def_ro("log_value", &ApproximateAnswer::log_value)
      .def_ro("log_value_error", &ApproximateAnswer::log_value_error)
      .def_ro("effective_sample_size", &ApproximateAnswer::effective_sample_size)
      .def_ro("iterations", &ApproximateAnswer::iterations)
      .def_ro("scale_reduction", &ApproximateAnswer::scale_reduction)
      .def_ro("n_samples", &ApproximateAnswer::n_samples)
      .def_ro("n_abandoned", &ApproximateAnswer::n_abandoned)
      .def_ro("n_unsettled", &ApproximateAnswer::n_unsettled)
      .def_ro("status", &ApproximateAnswer::status,
              "'infeasible' if the evidence has probability 0.");
  nb::class_<OwnedPlan>(module, "ClusterPlan", "A graph of clusters for a model with evidence.")
      .def(nb::init<FactorArrays, bool, const Vector<std::uint8_t>&, const Vector<std::uint8_t>&,
                    const Vector<std::int32_t>&, const Vector<double>&, std::size_t, double,
                    unsigned>(),
           "factors"_a, "directed"_a, "observed"_a.noconvert(), "weighted"_a.noconvert(),
           "states"_a.noconvert(), "likelihoods"_a.noconvert(), "i_bound"_a, "largest_cells"_a,
           "n_threads"_a)
      .def_prop_ro("is_possible", [](const OwnedPlan& self) { return self->is_possible(); })
      .def_prop_ro("cells", [](const OwnedPlan& self) { return self->cells(); })
      .def_prop_ro("bytes", [](const OwnedPlan& self) { return self->bytes(); })
      .def_prop_ro("i_bound", [](const OwnedPlan& self) { return self->i_bound(); })
      .def("propagate", &propagate, "damping"_a, "max_iterations"_a, "tolerance"_a,
           "on_progress"_a.none() = nb::none())
      .def("importance_sampling", &importance_sampling, "n_samples"_a, "damping"_a,
           "max_iterations"_a, "tolerance"_a, "seed"_a, "n_threads"_a,
           "on_progress"_a.none() = nb::none())
      .def("gibbs", &gibbs_sampling, "n_samples"_a, "burn_in"_a, "n_chains"_a, "thin"_a, "seed"_a,
           "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("gibbs_rows", &draw_rows, "n_rows"_a, "burn_in"_a, "n_chains"_a, "thin"_a, "seed"_a,
           "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("weighted_rows", &weighted_rows, "wanted"_a, "n_most"_a, "damping"_a, "max_iterations"_a,
           "tolerance"_a, "seed"_a, "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("likelihood_weighting", &likelihood_weighting, "n_samples"_a, "seed"_a, "n_threads"_a,
           "on_progress"_a.none() = nb::none());
}

}  // namespace credenet::python
