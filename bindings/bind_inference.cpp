#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/inference/exact/explanations.hpp"
#include "credenet/inference/exact/map_search.hpp"
#include "credenet/inference/exact/predict.hpp"
#include "credenet/inference/exact/propagation.hpp"
#include "factor_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using OutValues = nb::ndarray<double, nb::numpy, nb::ndim<1>>;
using OutStates = nb::ndarray<std::int32_t, nb::numpy, nb::ndim<1>>;

// The clique tree of a query; its tables are laid out at the first run.
class Plan {
 public:
  Plan(FactorArrays factors, bool directed, const Vector<std::uint8_t>& observed,
       const Vector<std::uint8_t>& weighted, const Vector<std::int32_t>& targets, bool joint,
       bool whole_evidence, const Vector<std::uint8_t>& maximised, double most_bytes,
       double most_cells, const Vector<std::int32_t>& order, unsigned n_threads)
      : factors_(std::move(factors)),
        observed_(observed.data(), observed.data() + observed.size()),
        weighted_(weighted.data(), weighted.data() + weighted.size()),
        maximised_(maximised.data(), maximised.data() + maximised.size()),
        targets_(targets.data(), targets.data() + targets.size()),
        shape_{observed_, weighted_, targets_, joint, directed, whole_evidence, maximised_} {
    NoControl no_control;
    const GilRelease release;
    tree_ = maximised_.empty()
                ? clique_tree(factors_.view_all(), shape_, view(order), n_threads, no_control)
                : map_tree(factors_.view_all(), shape_, view(order), {most_bytes, most_cells},
                           n_threads, no_control);
  }

  [[nodiscard]] std::size_t width() const { return tree_.width; }
  [[nodiscard]] double cells() const { return tree_.cells; }
  [[nodiscard]] double bytes() const { return propagation_bytes(factors_.view_all(), tree_); }
  [[nodiscard]] OutStates positions() const {
    return to_array(std::vector<std::int32_t>(tree_.position));
  }

  std::tuple<Status, double> log_value(const Vector<std::int32_t>& states,
                                       const Vector<double>& likelihoods, unsigned n_threads,
                                       const OnProgress& on_progress) {
    return collect(states, likelihoods, Marginalisation::kSum, n_threads, on_progress,
                   [](Propagation&, Control&) { return true; });
  }

  std::tuple<Status, double, OutValues> marginals(const Vector<std::int32_t>& states,
                                                  const Vector<double>& likelihoods,
                                                  unsigned n_threads,
                                                  const OnProgress& on_progress) {
    std::vector<double> values;
    const auto [status, log_value] =
        collect(states, likelihoods, Marginalisation::kSum, n_threads, on_progress,
                [&](Propagation& propagation, Control& control) {
                  if (!propagation.distribute(targets_, n_threads, control)) return false;
                  values = propagation.marginals(targets_);
                  return true;
                });
    return {status, log_value, to_array(std::move(values))};
  }

  std::tuple<Status, double, OutValues> joint(const Vector<std::int32_t>& states,
                                              const Vector<double>& likelihoods, unsigned n_threads,
                                              const OnProgress& on_progress) {
    std::vector<double> values;
    const auto [status, log_value] = collect(states, likelihoods, Marginalisation::kSum, n_threads,
                                             on_progress, [&](Propagation& propagation, Control&) {
                                               values.resize(propagation.joint_size());
                                               propagation.joint(values);
                                               return true;
                                             });
    return {status, log_value, to_array(std::move(values))};
  }

  std::tuple<Status, double, OutStates> most_probable(const Vector<std::int32_t>& states,
                                                      const Vector<double>& likelihoods,
                                                      unsigned n_threads,
                                                      const OnProgress& on_progress) {
    std::vector<std::int32_t> best(states.data(), states.data() + states.size());
    const auto [status, log_value] = collect(states, likelihoods, Marginalisation::kMax, n_threads,
                                             on_progress, [&](Propagation& propagation, Control&) {
                                               propagation.trace_back(best);
                                               return true;
                                             });
    return {status, log_value, to_array(std::move(best))};
  }

  MapResult map(const Vector<std::int32_t>& states, const Vector<double>& likelihoods,
                unsigned n_threads, const OnProgress& on_progress) {
    return run(on_progress, [&](Control& control) {
      return map_search(factors_.view_all(), layout(), {view(states), view(likelihoods)}, n_threads,
                        control);
    });
  }

  std::tuple<Status, double, OutStates> draws(const Vector<std::int32_t>& states,
                                              const Vector<double>& likelihoods, std::size_t n_rows,
                                              std::uint64_t seed, unsigned n_threads,
                                              const OnProgress& on_progress) {
    std::vector<std::int32_t> drawn;
    const auto [status, log_value] = collect(
        states, likelihoods, Marginalisation::kSum, n_threads, on_progress,
        [&](Propagation& propagation, Control& control) {
          return draw_rows(propagation, view(states), n_rows, seed, n_threads, control, drawn);
        });
    return {status, log_value, to_array(std::move(drawn))};
  }

  template <typename Code>
  Status predict_rows(const Columns<Code>& codes, const Vector<std::int32_t>& columns,
                      const Vector<std::int64_t>& rows, unsigned n_threads,
                      const OutVector<double>& out, const OnProgress& on_progress) {
    return run(on_progress, [&](Control& control) {
      const EvidenceRows<Code> evidence{codes.data(), codes.shape(0), view(columns),
                                        std::numeric_limits<Code>::max()};
      return predict(factors_.view_all(), layout(), evidence, view(rows), n_threads, control,
                     view(out));
    });
  }

  [[nodiscard]] FactorsView factors() const { return factors_.view_all(); }

  const PropagationLayout& layout() {
    const std::scoped_lock lock(mutex_);
    if (!layout_) {
      layout_ = std::make_unique<PropagationLayout>(factors_.view_all(), shape_, tree_);
    }
    return *layout_;
  }

 private:
  // A log value of minus infinity means that the evidence has probability 0; after is not run then.
  template <typename After>
  std::tuple<Status, double> collect(const Vector<std::int32_t>& states,
                                     const Vector<double>& likelihoods, Marginalisation kind,
                                     unsigned n_threads, const OnProgress& on_progress,
                                     After&& after) {
    double log_value = -std::numeric_limits<double>::infinity();
    const Status status = run(on_progress, [&](Control& control) {
      Propagation propagation(factors_.view_all(), layout());
      if (!propagation.collect({view(states), view(likelihoods)}, kind, n_threads, control)) {
        return false;
      }
      if (!propagation.is_possible()) return true;
      log_value = propagation.log_value();
      return after(propagation, control);
    });
    return {status, log_value};
  }

  FactorArrays factors_;
  std::vector<std::uint8_t> observed_, weighted_, maximised_;
  std::vector<std::int32_t> targets_;
  QueryShape shape_;
  CliqueTree tree_;  // The tree never changes, so that all threads may read it.
  std::mutex mutex_;
  std::unique_ptr<PropagationLayout> layout_;
};

// A propagation whose messages are kept, for evidence that changes step by step.
class Session {
 public:
  explicit Session(Plan& plan) : plan_(plan) {}

  // The log value, and the marginals of the targets if the evidence is possible.
  std::tuple<Status, double, OutValues> marginals(const Vector<std::int32_t>& states,
                                                  const Vector<double>& likelihoods,
                                                  const Vector<std::int32_t>& targets,
                                                  unsigned n_threads,
                                                  const OnProgress& on_progress) {
    double log_value = -std::numeric_limits<double>::infinity();
    std::vector<double> values;
    const Status status = run(on_progress, [&](Control& control) {
      const std::scoped_lock lock(mutex_);
      if (!propagation_) {
        propagation_ = std::make_unique<Propagation>(plan_.factors(), plan_.layout());
      }
      if (!propagation_->update({view(states), view(likelihoods)}, n_threads, control)) {
        return false;
      }
      if (!propagation_->is_possible()) return true;
      log_value = propagation_->log_value();
      const bool is_finished = propagation_->distribute(view(targets), n_threads, control);
      values = propagation_->marginals(view(targets));
      return is_finished;
    });
    return {status, log_value, to_array(std::move(values))};
  }

 private:
  Plan& plan_;
  std::mutex mutex_;
  std::unique_ptr<Propagation> propagation_;
};

std::pair<Status, std::vector<Explanation>> explain(const Vector<std::int32_t>& n_states,
                                                    const Vector<double>& prior,
                                                    const Vector<double>& posterior, std::size_t k,
                                                    const OnProgress& on_progress) {
  std::vector<Explanation> found;
  const Status status = run(on_progress, [&](Control& control) {
    return explanations(view(n_states), view(prior), view(posterior), k, control, found);
  });
  return {status, std::move(found)};
}

}  // namespace

void bind_inference(nb::module_& module) {
  nb::class_<MapResult>(module, "MapResult", "What a search for the best states found.")
      .def_ro("states", &MapResult::states)
      .def_ro("log_value", &MapResult::log_value)
      .def_ro("log_bound", &MapResult::log_bound)
      .def_ro("status", &MapResult::status);
  nb::class_<Plan>(module, "InferencePlan", "The clique tree for a kind of query.")
      .def(nb::init<FactorArrays, bool, const Vector<std::uint8_t>&, const Vector<std::uint8_t>&,
                    const Vector<std::int32_t>&, bool, bool, const Vector<std::uint8_t>&, double,
                    double, const Vector<std::int32_t>&, unsigned>(),
           "factors"_a, "directed"_a, "observed"_a.noconvert(), "weighted"_a.noconvert(),
           "targets"_a.noconvert(), "joint"_a, "whole_evidence"_a, "maximised"_a.noconvert(),
           "most_bytes"_a, "most_cells"_a, "order"_a.noconvert(), "n_threads"_a)
      .def_prop_ro("width", &Plan::width)
      .def_prop_ro("cells", &Plan::cells)
      .def_prop_ro("bytes", &Plan::bytes)
      .def("positions", &Plan::positions)
      .def("log_value", &Plan::log_value, "states"_a.noconvert(), "likelihoods"_a.noconvert(),
           "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("marginals", &Plan::marginals, "states"_a.noconvert(), "likelihoods"_a.noconvert(),
           "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("joint", &Plan::joint, "states"_a.noconvert(), "likelihoods"_a.noconvert(),
           "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("most_probable", &Plan::most_probable, "states"_a.noconvert(),
           "likelihoods"_a.noconvert(), "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("map", &Plan::map, "states"_a.noconvert(), "likelihoods"_a.noconvert(), "n_threads"_a,
           "on_progress"_a.none() = nb::none())
      .def("draws", &Plan::draws, "states"_a.noconvert(), "likelihoods"_a.noconvert(), "n_rows"_a,
           "seed"_a, "n_threads"_a, "on_progress"_a.none() = nb::none())
      .def("predict", &Plan::predict_rows<std::uint8_t>, "codes"_a.noconvert(),
           "columns"_a.noconvert(), "rows"_a.noconvert(), "n_threads"_a, "out"_a.noconvert(),
           "on_progress"_a.none() = nb::none())
      .def("predict", &Plan::predict_rows<std::uint16_t>, "codes"_a.noconvert(),
           "columns"_a.noconvert(), "rows"_a.noconvert(), "n_threads"_a, "out"_a.noconvert(),
           "on_progress"_a.none() = nb::none());
  nb::class_<Session>(module, "InferenceSession",
                      "Messages of a plan, kept for evidence that changes step by step.")
      .def(nb::init<Plan&>(), "plan"_a, nb::keep_alive<1, 2>())
      .def("marginals", &Session::marginals, "states"_a.noconvert(), "likelihoods"_a.noconvert(),
           "targets"_a.noconvert(), "n_threads"_a, "on_progress"_a.none() = nb::none());
  nb::class_<Explanation>(module, "Explanation", "States of some targets, with their Bayes factor.")
      .def_ro("states", &Explanation::states)
      .def_ro("bayes_factor", &Explanation::bayes_factor);
  module.def("explanations", &explain, "n_states"_a.noconvert(), "prior"_a.noconvert(),
             "posterior"_a.noconvert(), "k"_a, "on_progress"_a.none() = nb::none());
  module.def(
      "explanation_bytes",
      [](const Vector<std::int32_t>& n_states) { return explanation_bytes(view(n_states)); },
      "n_states"_a.noconvert());
}

}  // namespace credenet::python
