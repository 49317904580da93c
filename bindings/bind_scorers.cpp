// Family scorers: a score of the core on a count source, or a Python function.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/counts/count_source.hpp"
#include "credenet/families/family_scorer.hpp"
#include "credenet/inference/exact/joint_table.hpp"
#include "factor_arrays.hpp"
#include "gil.hpp"
#include "held_interrupt.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

// The prior network of BDe, the place of each variable of the data in it, and the most bytes that a
// table may take.
struct PriorNetwork {
  FactorArrays factors;
  Vector<std::int32_t> places;
  double max_bytes = 0;
};

// The parameter is the equivalent sample size; for MIT it is the confidence level.
ScoreSettings settings_of(const std::string& name, double parameter,
                          const Vector<std::int32_t>& n_states, const PriorNetwork* prior) {
  const Score* score = find_score(name);
  if (score == nullptr) throw nb::value_error(name.c_str());
  ScoreSettings settings{score, parameter, view(n_states), parameter};
  if (prior == nullptr) return settings;
  settings.max_bytes = prior->max_bytes;
  settings.prior = [prior](std::span<const std::uint16_t> variables, std::span<double> filled) {
    std::vector<Node> places;
    for (const std::uint16_t variable : variables) places.push_back(view(prior->places)[variable]);
    if (!joint_table(prior->factors.view_all(), places, prior->max_bytes, filled)) {
      throw PriorTooLarge(variables.size());
    }
  };
  return settings;
}

// A score of data, with the numbers of states. Python owns the source and the prior network.
class DataScorer final : public FamilyScorer {
 public:
  DataScorer(const CountSource& source, const std::string& name, double parameter,
             Vector<std::int32_t> n_states, const PriorNetwork* prior)
      : n_states_(std::move(n_states)),
        scorer_(source, settings_of(name, parameter, n_states_, prior)) {}

  void score(const FamilyBatch& families, std::span<ScoredFamily> scored) const override {
    scorer_.score(families, scored);
  }
  [[nodiscard]] bool takes_threads() const override { return scorer_.takes_threads(); }
  [[nodiscard]] std::size_t work() const override { return scorer_.work(); }
  [[nodiscard]] const CountedScore* counted() const override { return scorer_.counted(); }

 private:
  Vector<std::int32_t> n_states_;
  CountScorer scorer_;
};

using Children = nb::ndarray<std::uint16_t, nb::numpy, nb::ndim<1>>;
using Begins = nb::ndarray<std::int64_t, nb::numpy, nb::ndim<1>>;
using Values = std::pair<Vector<double>, std::optional<Vector<double>>>;
// Takes the children of families, where the parents of each begin, and the parents. Returns the
// scores and, if there are any, the bounds.
using ScoreFunction = nb::typed<nb::callable, Values(Children, Begins, Children)>;

// A Python function, called by the thread that runs the search. An error of it ends the search.
class FunctionScorer final : public FamilyScorer {
 public:
  explicit FunctionScorer(ScoreFunction function) : function_(std::move(function)) {}

  void score(const FamilyBatch& families, std::span<ScoredFamily> scored) const override {
    std::vector<std::uint16_t> children;
    std::vector<std::int64_t> begins{0};
    std::vector<std::uint16_t> parents;
    for (std::size_t at = 0; at < families.size(); ++at) {
      children.push_back(families.child(at));
      const auto own = families.parents(at);
      parents.insert(parents.end(), own.begin(), own.end());
      begins.push_back(static_cast<std::int64_t>(parents.size()));
    }
    const GilAcquire gil;
    const HeldInterrupt held;
    const nb::object answer = function_(to_array(std::move(children)), to_array(std::move(begins)),
                                        to_array(std::move(parents)));
    const auto [scores, bounds] = nb::cast<Values>(answer);
    if (scores.size() != scored.size() || (bounds && bounds->size() != scored.size())) {
      throw std::invalid_argument("there must be a score for each family");
    }
    for (std::size_t at = 0; at < scored.size(); ++at) {
      scored[at].score = view(scores)[at];
      if (bounds) scored[at].bound = view(*bounds)[at];
    }
  }
  [[nodiscard]] bool takes_threads() const override { return false; }

 private:
  ScoreFunction function_;
};

}  // namespace

void bind_scorers(nb::module_& module) {
  nb::class_<PriorNetwork>(module, "PriorNetwork", "The prior network of BDe.")
      .def(
          "__init__",
          [](PriorNetwork* self, FactorArrays factors, Vector<std::int32_t> places,
             double max_bytes) {
            new (self) PriorNetwork{std::move(factors), std::move(places), max_bytes};
          },
          "factors"_a, "places"_a.noconvert(), "max_bytes"_a);
  nb::exception<PriorTooLarge>(module, "PriorTooLarge", PyExc_ValueError);
  nb::class_<FamilyScorer>(module, "FamilyScorer", "Where the scores of families come from.");
  nb::class_<DataScorer, FamilyScorer>(module, "CountScorer", "A score of the core, by its name.")
      .def(nb::init<const CountSource&, const std::string&, double, Vector<std::int32_t>,
                    const PriorNetwork*>(),
           "source"_a, "score"_a, "parameter"_a, "n_states"_a.noconvert(),
           "prior"_a.none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 6>());
  nb::class_<FunctionScorer, FamilyScorer>(module, "FunctionScorer",
                                           "A Python function that scores batches of families.")
      .def(nb::init<ScoreFunction>(), "function"_a);
}

}  // namespace credenet::python
