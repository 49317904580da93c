#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "arrays.hpp"
#include "credenet/counts/count_source.hpp"
#include "credenet/effects/effects.hpp"
#include "credenet/effects/optimal_sets.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using Ints = Vector<std::int32_t>;
using Begins = Vector<std::int64_t>;
using Out = OutVector<double>;

Status estimate(const CountSource& source, const Ints& n_states, const Ints& x,
                const Begins& y_begins, const Ints& y, const Begins& set_begins,
                const Vector<double>& set_weights, const Begins& member_begins, const Ints& members,
                double ess, double level, std::size_t n_draws, std::uint64_t seed,
                unsigned n_threads, const Out& means, const Out& least, const Out& most,
                const Out& low, const Out& high, const Out& sizes, const Out& draws,
                const OnProgress& on_progress) {
  const EffectGroups groups{.x = view(x),
                            .y_begins = view(y_begins),
                            .y = view(y),
                            .set_begins = view(set_begins),
                            .weights = view(set_weights),
                            .member_begins = view(member_begins),
                            .members = view(members)};
  const EffectSettings settings{.ess = ess, .level = level, .n_draws = n_draws, .seed = seed};
  const EffectAnswers answers{.means = view(means),
                              .least = view(least),
                              .most = view(most),
                              .low = view(low),
                              .high = view(high),
                              .sizes = view(sizes),
                              .draws = view(draws)};
  return run(on_progress, [&](Control& control) {
    return estimate_effects(source, view(n_states), groups, settings, n_threads, answers, control);
  });
}

void def_estimate(nb::module_& module) {
  module.def("estimate_effects", &estimate, "source"_a, "n_states"_a.noconvert(), "x"_a.noconvert(),
             "y_begins"_a.noconvert(), "y"_a.noconvert(), "set_begins"_a.noconvert(),
             "set_weights"_a.noconvert(), "member_begins"_a.noconvert(), "members"_a.noconvert(),
             "ess"_a, "level"_a, "n_draws"_a, "seed"_a, "n_threads"_a, "means"_a.noconvert(),
             "least"_a.noconvert(), "most"_a.noconvert(), "low"_a.noconvert(), "high"_a.noconvert(),
             "sizes"_a.noconvert(), "draws"_a.noconvert(), "on_progress"_a.none() = nb::none());
}

}  // namespace

void bind_effects(nb::module_& module) {
  nb::class_<OptimalSetSums>(module, "OptimalSetSums",
                             "The optimal adjustment sets of networks, with their weights.")
      .def(
          "__init__",
          [](OptimalSetSums* self, std::size_t n_variables, const Ints& x) {
            new (self) OptimalSetSums(n_variables, view(x));
          },
          "n_variables"_a, "x"_a.noconvert())
      .def(
          "add",
          [](OptimalSetSums& self, const Vector<std::uint64_t>& parents,
             const Vector<double>& weights, unsigned n_threads, const OnProgress& on_progress) {
            return run(on_progress, [&](Control& control) {
              return self.add(view(parents), view(weights), n_threads, control);
            });
          },
          "parents"_a.noconvert(), "weights"_a.noconvert(), "n_threads"_a,
          "on_progress"_a.none() = nb::none())
      .def(
          "sums",
          [](const OptimalSetSums& self) {
            OptimalSetSums::Sums found = self.sums();
            return std::tuple(to_array(std::move(found.pair)), to_array(std::move(found.weights)),
                              to_array(std::move(found.member_begins)),
                              to_array(std::move(found.members)));
          },
          "For each set its pair (place of x times n_variables, plus y) and weight; the beginnings "
          "of their members, and these.");
  def_estimate(module);
}

}  // namespace credenet::python
