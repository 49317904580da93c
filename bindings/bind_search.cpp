#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "arrays.hpp"
#include "credenet/search/component_lists.hpp"
#include "credenet/search/order_search.hpp"
#include "credenet/search/search_result.hpp"
#include "credenet/search/subset_dp.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

FamilyLists lists_of(const Vector<std::int64_t>& starts, const Vector<double>& scores,
                     const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents) {
  return {view(starts), view(scores), view(offsets), view(parents)};
}

const char* name_of(SearchStatus status) {
  switch (status) {
    case SearchStatus::kOptimal:
      return "optimal";
    case SearchStatus::kLocalOptimum:
      return "local_optimum";
    case SearchStatus::kStopped:
      return "stopped";
    case SearchStatus::kMemory:
      return "memory_limit";
    case SearchStatus::kInfeasible:
      return "infeasible";
  }
  return "";
}

// What a search found, and whether Ctrl-C ended it.
struct Outcome {
  SearchResult result;
  bool interrupted = false;
};

// Runs search(control) without the GIL.
template <typename Search>
Outcome run(const OnProgress& on_progress, Search&& search) {
  PythonControl control(on_progress);
  Outcome outcome;
  {
    const nb::gil_scoped_release release;
    outcome.result = search(control);
  }
  outcome.interrupted = control.was_interrupted();
  return outcome;
}

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<ComponentLists>(module, "ComponentLists",
                             "Families of variables that are learned apart, as bits.")
      .def(
          "__init__",
          [](ComponentLists* self, const Vector<std::int64_t>& starts, const Vector<double>& scores,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
             const Vector<std::int32_t>& members) {
            new (self) ComponentLists(lists_of(starts, scores, offsets, parents), view(members));
          },
          "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
          "parents"_a.noconvert(), "members"_a.noconvert())
      .def_prop_ro("n_variables", &ComponentLists::n_variables)
      .def_prop_ro("n_families", &ComponentLists::n_families)
      .def("family", &ComponentLists::family, "variable"_a, "k"_a)
      .def("size", &ComponentLists::size, "variable"_a)
      .def("best", &ComponentLists::best, "variable"_a, "available"_a);
  nb::class_<Outcome>(module, "SearchOutcome", "What a search found.")
      .def_prop_ro("families", [](const Outcome& self) { return self.result.families; })
      .def_prop_ro("score", [](const Outcome& self) { return self.result.score; })
      .def_prop_ro("bound", [](const Outcome& self) { return self.result.bound; })
      .def_prop_ro("status", [](const Outcome& self) { return name_of(self.result.status); })
      .def_prop_ro("n_expanded", [](const Outcome& self) { return self.result.n_expanded; })
      .def_prop_ro("n_generated", [](const Outcome& self) { return self.result.n_generated; })
      .def_prop_ro("peak_bytes", [](const Outcome& self) { return self.result.peak_bytes; })
      .def_prop_ro("trace",
                   [](const Outcome& self) {
                     std::vector<std::tuple<double, double, double>> points;
                     for (const BoundPoint& point : self.result.trace) {
                       points.emplace_back(point.seconds, point.score, point.bound);
                     }
                     return points;
                   })
      .def_ro("interrupted", &Outcome::interrupted);
  module.def(
      "order_search",
      [](const Vector<std::int64_t>& starts, const Vector<double>& scores,
         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
         const Vector<std::int32_t>& start, std::uint64_t seed, std::size_t n_iterations,
         std::size_t n_orders, unsigned n_threads, const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return order_search(lists_of(starts, scores, offsets, parents), view(start),
                              {seed, n_iterations, n_orders, n_threads}, control);
        });
      },
      "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
      "parents"_a.noconvert(), "start"_a.noconvert(), "seed"_a, "n_iterations"_a, "n_orders"_a,
      "n_threads"_a, "on_progress"_a.none() = nb::none());
  module.def(
      "strong_components",
      [](const Vector<std::int64_t>& starts, const Vector<double>& scores,
         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents) {
        return strong_components(lists_of(starts, scores, offsets, parents));
      },
      "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
      "parents"_a.noconvert());
  module.def(
      "subset_dp",
      [](const ComponentLists& lists, bool layered, std::size_t max_bytes, unsigned n_threads,
         const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return subset_dp(lists, {layered, max_bytes, n_threads}, control);
        });
      },
      "lists"_a, "layered"_a, "max_bytes"_a, "n_threads"_a, "on_progress"_a.none());
  module.def("subset_dp_bytes", &subset_dp_bytes, "n_variables"_a, "layered"_a, "n_threads"_a);
  module.def("subset_dp_seconds", &subset_dp_seconds, "lists"_a);
}

}  // namespace credenet::python
