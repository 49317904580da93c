#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/credible/class_features.hpp"
#include "credenet/credible/class_index.hpp"
#include "credenet/credible/class_search.hpp"
#include "credenet/credible/credible_search.hpp"
#include "credenet/credible/network_features.hpp"
#include "family_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using Rows = nb::ndarray<const std::int64_t, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

NetworkRows networks_of(const Rows& rows) { return {{rows.data(), rows.size()}, rows.shape(1)}; }

}  // namespace

void bind_credible(nb::module_& module) {
  nb::class_<CredibleClasses>(module, "CredibleListing", "Networks of one component, best first.")
      .def("take_ticks",
           [](CredibleClasses& self) { return to_array(std::move(self.networks.ticks)); })
      .def("take_families",
           [](CredibleClasses& self) { return to_array(std::move(self.networks.families)); })
      .def("take_sizes", [](CredibleClasses& self) { return to_array(std::move(self.sizes)); })
      .def_prop_ro("status", [](const CredibleClasses& self) { return self.networks.status; })
      .def_prop_ro("n_expanded",
                   [](const CredibleClasses& self) { return self.networks.n_expanded; });
  nb::class_<CredibleSearch>(module, "CredibleSearch",
                             "All credible networks of a strongly connected component.")
      .def(
          "__init__",
          [](CredibleSearch* self, const FamilyArrays& families,
             const Vector<std::int32_t>& members) {
            new (self) CredibleSearch(families, view(members));
          },
          "families"_a, "members"_a.noconvert())
      .def_ro_static("most_families", &CredibleSearch::kMostFamilies)
      .def_ro_static("margin_ticks", &CredibleLimits::kMarginTicks)
      .def_prop_ro("optimum", &CredibleSearch::optimum)
      .def_prop_ro("best_families", &CredibleSearch::best_families)
      .def(
          "narrow",
          [](CredibleSearch& self, const FamilyArrays& families,
             const Vector<std::int32_t>& members) { self.narrow(families, view(members)); },
          "families"_a, "members"_a.noconvert())
      .def(
          "solve",
          [](CredibleSearch& self, unsigned n_threads, const OnProgress& on_progress) {
            return run(on_progress,
                       [&](Control& control) { return self.solve(n_threads, control); });
          },
          "n_threads"_a, "on_progress"_a.none())
      .def(
          "credible_families",
          [](const CredibleSearch& self, double slack, const OnProgress& on_progress) {
            std::vector<std::uint8_t> keep;
            const Status status = run(on_progress, [&](Control& control) {
              keep = self.credible_families(slack, control);
              return !keep.empty();
            });
            return std::pair(status, to_array(std::move(keep)));
          },
          "slack"_a, "on_progress"_a.none())
      .def(
          "networks",
          [](const CredibleSearch& self, double tick, std::int64_t most_ticks,
             std::size_t max_bytes, unsigned n_threads, const OnProgress& on_progress) {
            return CredibleClasses{run(on_progress,
                                       [&](Control& control) {
                                         return self.networks(
                                             {tick, most_ticks, max_bytes, n_threads}, control);
                                       }),
                                   {}};
          },
          "tick"_a, "most_ticks"_a, "max_bytes"_a, "n_threads"_a, "on_progress"_a.none())
      .def(
          "classes",
          [](const CredibleSearch& self, const FamilyArrays& families,
             const Vector<std::int32_t>& members, double tick, std::int64_t most_ticks,
             std::size_t max_bytes, unsigned n_threads, const OnProgress& on_progress) {
            CredibleClasses found;
            found.networks.status = run(on_progress, [&](Control& control) {
              found = credible_classes(self, families, view(members),
                                       {tick, most_ticks, max_bytes, n_threads}, control);
              return found.networks.status;
            });
            return found;
          },
          "families"_a, "members"_a.noconvert(), "tick"_a, "most_ticks"_a, "max_bytes"_a,
          "n_threads"_a, "on_progress"_a.none(),
          "One network of each Markov equivalence class, with the size of the class.");
  nb::class_<PathSums>(module, "PathSums", "The weight of each path, summed over networks.")
      .def(nb::init<std::size_t>(), "n_variables"_a)
      .def(
          "add",
          [](PathSums& self, const FamilyArrays& families, const Rows& choices,
             const Vector<double>& weights) {
            const GilRelease release;
            self.add(families, networks_of(choices), view(weights));
          },
          "families"_a, "choices"_a.noconvert(), "weights"_a.noconvert())
      .def("sums", [](const PathSums& self) { return to_array(std::vector(self.sums())); });
  module.def(
      "markov_blankets",
      [](const FamilyArrays& families, const Rows& choices, const Vector<double>& weights,
         std::size_t variable) {
        const auto sums = released([&] {
          return markov_blankets(families, networks_of(choices), view(weights), variable);
        });
        return std::vector<std::pair<std::vector<std::int32_t>, double>>(sums.begin(), sums.end());
      },
      "families"_a, "choices"_a.noconvert(), "weights"_a.noconvert(), "variable"_a,
      "The weight of each Markov blanket of a variable.");
  nb::class_<ClassIndex>(module, "ClassIndex", "Numbers of Markov equivalence classes.")
      .def(nb::init<std::size_t>(), "n_variables"_a)
      .def(
          "add",
          [](ClassIndex& self, const FamilyArrays& families, const Rows& choices) {
            return to_array(released([&] { return self.add(families, networks_of(choices)); }));
          },
          "families"_a, "choices"_a.noconvert(),
          "The number of the class of each network; a row of choices has the families of one "
          "network.");
  nb::class_<ClassPairSums>(module, "ClassPairSums",
                            "The weight of each edge of classes, given rules on parents.")
      .def(
          "__init__",
          [](ClassPairSums* self, std::size_t n_variables, const Vector<std::uint8_t>& possible,
             const Vector<std::int32_t>& max_parents) {
            new (self) ClassPairSums(n_variables, {view(possible), view(max_parents)});
          },
          "n_variables"_a, "possible"_a.noconvert(), "max_parents"_a.noconvert(),
          "possible has n_variables rows of as many cells, by child and parent; max_parents one "
          "number for each variable. Rules that are empty say nothing.")
      .def(
          "add",
          [](ClassPairSums& self, const FamilyArrays& families, const Rows& choices,
             const Vector<double>& weights, const Vector<std::uint8_t>& children,
             unsigned n_threads) {
            (void)run_whole([&](Control& control) {
              return self.add(families, networks_of(choices), view(weights), view(children),
                              n_threads, control);
            });
          },
          "families"_a, "choices"_a.noconvert(), "weights"_a.noconvert(), "children"_a.noconvert(),
          "n_threads"_a)
      .def("directed",
           [](const ClassPairSums& self) { return to_array(std::vector(self.directed())); })
      .def("undirected",
           [](const ClassPairSums& self) { return to_array(std::vector(self.undirected())); });
  module.def(
      "class_sizes",
      [](const FamilyArrays& families, const Rows& choices, const Vector<std::uint8_t>& children,
         unsigned n_threads) {
        const std::vector<Natural> sizes = run_whole([&](Control& control) {
          return class_sizes(families, networks_of(choices), view(children), n_threads, control);
        });
        std::vector<nb::int_> numbers;
        for (const Natural& size : sizes) numbers.push_back(to_int(size));
        return numbers;
      },
      "families"_a, "choices"_a.noconvert(), "children"_a.noconvert(), "n_threads"_a,
      "The number of networks in the class of each network. A ValueError if a row of choices is no "
      "network of the families.");
}

}  // namespace credenet::python
