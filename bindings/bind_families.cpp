#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/families/asked_families.hpp"
#include "credenet/families/explore_families.hpp"
#include "credenet/families/family_scorer.hpp"
#include "credenet/families/score_families.hpp"
#include "family_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using Arrays = std::tuple<nb::ndarray<double, nb::numpy, nb::ndim<1>>,
                          nb::ndarray<std::int64_t, nb::numpy, nb::ndim<1>>,
                          nb::ndarray<std::int32_t, nb::numpy, nb::ndim<1>>>;

// The families of each variable, how many were evaluated, the level reached, the status, and the
// gain and bound of each variable's parent sets that were not scored.
using Found = std::tuple<std::vector<Arrays>, std::uint64_t, std::size_t, Status,
                         std::vector<std::pair<double, double>>>;

Found to_python(Families found) {
  std::vector<Arrays> children;
  for (ChildFamilies& child : found.children) {
    children.emplace_back(to_array(std::move(child.scores)), to_array(std::move(child.offsets)),
                          to_array(std::move(child.parents)));
  }
  std::vector<std::pair<double, double>> unscored;
  for (const UnscoredSets& sets : found.unscored) unscored.emplace_back(sets.gain, sets.bound);
  return {std::move(children), found.n_evaluated, found.n_levels, found.status,
          std::move(unscored)};
}

Found families(const FamilyScorer& scorer, const std::vector<ChildRules>& rules,
               const FamilyOptions& options, const OnProgress& on_progress) {
  return to_python(run(on_progress, [&](Control& control) {
    return score_families(scorer, rules, options, control);
  }));
}

// An explorer with its settings. Python owns the scorer.
class DataExplorer {
 public:
  DataExplorer(const FamilyScorer& scorer, std::vector<ChildRules> rules,
               const FamilyOptions& options, std::size_t max_families)
      : explorer_(scorer, std::move(rules), options, max_families) {}

  Status explore(const OnProgress& on_progress) {
    return run(on_progress, [&](Control& control) { return explorer_.explore(control); });
  }

  Status explore_near(const std::vector<std::vector<std::uint16_t>>& network, std::size_t n_further,
                      const OnProgress& on_progress) {
    return run(on_progress, [&](Control& control) {
      return explorer_.explore_near(network, n_further, control);
    });
  }

  [[nodiscard]] Found families() const {
    return to_python(released([&] { return explorer_.families(); }));
  }

 private:
  FamilyExplorer explorer_;
};

}  // namespace

void bind_families(nb::module_& module) {
  nb::class_<FamilyArrays>(module, "FamilyLists",
                           "The families of all variables in flat arrays, which are not copied.")
      .def(
          "__init__",
          [](FamilyArrays* self, Vector<std::int64_t> starts, Vector<double> scores,
             Vector<std::int64_t> offsets, Vector<std::int32_t> parents) {
            new (self) FamilyArrays{std::move(starts), std::move(scores), std::move(offsets),
                                    std::move(parents)};
          },
          "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
          "parents"_a.noconvert());
  nb::class_<SizeFactors>(module, "SizeFactors",
                          "The log prior factors of parent sets by their number of parents.")
      .def(
          "__init__",
          [](SizeFactors* self, const Vector<double>& factors) {
            const auto given = view(factors);
            new (self) SizeFactors(std::vector<double>(given.begin(), given.end()));
          },
          "factors"_a.noconvert())
      .def("__len__", &SizeFactors::size)
      .def(
          "__getitem__",
          [](const SizeFactors& factors, std::size_t size) {
            if (size >= factors.size()) throw nb::index_error();
            return factors[size];
          },
          "size"_a);
  nb::class_<ChildRules>(module, "ChildRules",
                         "The parent sets that a variable may have, and their structure prior.")
      .def(
          "__init__",
          [](ChildRules* self, std::vector<std::uint16_t> required,
             const Vector<std::uint16_t>& candidates, std::size_t max_parents,
             SizeFactors log_factors, std::vector<std::uint16_t> expert, double log_kappa) {
            const auto listed = view(candidates);
            new (self) ChildRules{std::move(required), {listed.begin(), listed.end()},
                                  max_parents,         std::move(log_factors),
                                  std::move(expert),   log_kappa};
          },
          "required"_a, "candidates"_a.noconvert(), "max_parents"_a, "log_factors"_a, "expert"_a,
          "log_kappa"_a)
      .def_ro("required", &ChildRules::required)
      .def_prop_ro(
          "candidates",
          [](const ChildRules& rules) { return to_array(std::vector(rules.candidates)); },
          nb::rv_policy::move)
      .def_prop_ro("n_candidates", [](const ChildRules& rules) { return rules.candidates.size(); })
      .def_ro("max_parents", &ChildRules::max_parents)
      .def_ro("log_factors", &ChildRules::log_factors)
      .def_ro("expert", &ChildRules::expert)
      .def_ro("log_kappa", &ChildRules::log_kappa)
      .def("log_prior", &ChildRules::log_prior, "parents"_a);
  nb::class_<FamilyOptions>(module, "FamilyOptions")
      .def(
          "__init__",
          [](FamilyOptions* self, double slack, bool prune, double tolerance, std::size_t max_bytes,
             unsigned n_threads, bool unproven, std::uint64_t max_work, std::size_t most_added,
             double many_families) {
            new (self) FamilyOptions{slack,    prune,    tolerance,  max_bytes,    n_threads,
                                     unproven, max_work, most_added, many_families};
          },
          "slack"_a, "prune"_a, "tolerance"_a, "max_bytes"_a, "n_threads"_a, "unproven"_a = false,
          "max_work"_a = 0, "most_added"_a = FamilyOptions{}.most_added,
          "many_families"_a = FamilyOptions{}.many_families);
  module.def("score_families", &families, "scorer"_a, "rules"_a, "options"_a,
             "on_progress"_a.none() = nb::none());
  nb::class_<DataExplorer>(module, "FamilyExplorer",
                           "Scores families of data best first, and goes on where it ended.")
      .def(nb::init<const FamilyScorer&, std::vector<ChildRules>, const FamilyOptions&,
                    std::size_t>(),
           "scorer"_a, "rules"_a, "options"_a, "max_families"_a, nb::keep_alive<1, 2>())
      .def("explore", &DataExplorer::explore, "on_progress"_a.none() = nb::none())
      .def("explore_near", &DataExplorer::explore_near, "network"_a, "n_further"_a,
           "on_progress"_a.none() = nb::none())
      .def("families", &DataExplorer::families);
}

}  // namespace credenet::python
