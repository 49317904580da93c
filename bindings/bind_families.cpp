#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "arrays.hpp"
#include "credenet/families/score_families.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using Arrays = std::tuple<nb::ndarray<double, nb::numpy, nb::ndim<1>>,
                          nb::ndarray<std::int64_t, nb::numpy, nb::ndim<1>>,
                          nb::ndarray<std::int32_t, nb::numpy, nb::ndim<1>>>;

ScoreKind kind_of(const std::string& name) {
  if (name == "loglik") return ScoreKind::kLogLikelihood;
  if (name == "bic") return ScoreKind::kBic;
  if (name == "aic") return ScoreKind::kAic;
  if (name == "mdl") return ScoreKind::kMdl;
  if (name == "bdeu") return ScoreKind::kBdeu;
  if (name == "k2") return ScoreKind::kK2;
  if (name == "jeffreys") return ScoreKind::kJeffreys;
  if (name == "bds") return ScoreKind::kBds;
  if (name == "fnml") return ScoreKind::kFnml;
  if (name == "qnml") return ScoreKind::kQnml;
  throw nb::value_error(name.c_str());
}

// Families of each variable, how many were evaluated, the level reached, and how it ended.
using Found = std::tuple<std::vector<Arrays>, std::uint64_t, std::size_t, std::string>;

template <typename Code>
Found families(const Columns<Code>& codes, const Vector<double>& weights, const std::string& score,
               double ess, const Vector<std::int32_t>& n_states, std::vector<ChildRules> rules,
               const FamilyOptions& options, const OnProgress& on_progress) {
  PythonControl control(on_progress);
  Families found;
  {
    const nb::gil_scoped_release release;
    const RowTable rows(codes.data(), codes.shape(0), codes.shape(1), view(weights));
    found = score_families(rows, {kind_of(score), ess, view(n_states)}, rules, options, control);
  }
  control.rethrow();
  std::vector<Arrays> children;
  for (ChildFamilies& child : found.children) {
    children.emplace_back(to_array(std::move(child.scores)), to_array(std::move(child.offsets)),
                          to_array(std::move(child.parents)));
  }
  const char* status = found.status == FamilyStatus::kComplete  ? "complete"
                       : found.status == FamilyStatus::kStopped ? "stopped"
                                                                : "memory_limit";
  return {std::move(children), found.n_evaluated, found.n_levels, status};
}

}  // namespace

void bind_families(nb::module_& module) {
  nb::class_<ChildRules>(module, "ChildRules",
                         "Which parents a variable may have, and their prior.")
      .def(
          "__init__",
          [](ChildRules* self, std::vector<std::uint16_t> required,
             std::vector<std::uint16_t> candidates, std::size_t max_parents,
             std::vector<double> log_factors, std::vector<std::uint16_t> expert, double log_kappa) {
            new (self) ChildRules{std::move(required),    std::move(candidates), max_parents,
                                  std::move(log_factors), std::move(expert),     log_kappa};
          },
          "required"_a, "candidates"_a, "max_parents"_a, "log_factors"_a, "expert"_a, "log_kappa"_a)
      .def_ro("required", &ChildRules::required)
      .def_ro("candidates", &ChildRules::candidates)
      .def_ro("max_parents", &ChildRules::max_parents)
      .def("log_prior", &ChildRules::log_prior, "parents"_a);
  nb::class_<FamilyOptions>(module, "FamilyOptions")
      .def(
          "__init__",
          [](FamilyOptions* self, double slack, bool prune, double tolerance, std::size_t max_bytes,
             unsigned n_threads, bool unproven) {
            new (self) FamilyOptions{slack, prune, tolerance, max_bytes, n_threads, unproven};
          },
          "slack"_a, "prune"_a, "tolerance"_a, "max_bytes"_a, "n_threads"_a, "unproven"_a = false);
  module.def("score_families", &families<std::uint8_t>, "codes"_a.noconvert(),
             "weights"_a.noconvert(), "score"_a, "ess"_a, "n_states"_a.noconvert(), "rules"_a,
             "options"_a, "on_progress"_a.none() = nb::none());
  module.def("score_families", &families<std::uint16_t>, "codes"_a.noconvert(),
             "weights"_a.noconvert(), "score"_a, "ess"_a, "n_states"_a.noconvert(), "rules"_a,
             "options"_a, "on_progress"_a.none() = nb::none());
}

}  // namespace credenet::python
