#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "arrays.hpp"
#include "credenet/counts/count_source.hpp"
#include "credenet/families/dominated_families.hpp"
#include "credenet/families/search_result.hpp"
#include "credenet/lattice/astar.hpp"
#include "credenet/lattice/breadth_first.hpp"
#include "credenet/lattice/component_lists.hpp"
#include "credenet/lattice/subset_dp.hpp"
#include "credenet/local/asked_scores.hpp"
#include "credenet/local/chow_liu.hpp"
#include "credenet/local/hill_climb.hpp"
#include "credenet/local/order_search.hpp"
#include "family_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

HeuristicKind heuristic_of(const std::string& name) {
  if (name == "simple") return HeuristicKind::kSimple;
  if (name == "static") return HeuristicKind::kStatic;
  if (name == "dynamic") return HeuristicKind::kDynamic;
  throw nb::value_error("heuristic must be 'simple', 'static' or 'dynamic'");
}

// Seconds, score and bound of each point.
std::vector<std::tuple<double, double, double>> points_of(const std::vector<BoundPoint>& trace) {
  std::vector<std::tuple<double, double, double>> points;
  for (const BoundPoint& point : trace) {
    points.emplace_back(point.seconds, point.score, point.bound);
  }
  return points;
}

// For each variable the position of a family in its list.
using FamilyPositions = std::vector<std::int32_t>;

void bind_astar(nb::module_& module) {
  nb::class_<OrderGraphOptions>(module, "OrderGraphOptions",
                                "Heuristic and limits of a search in the order graph.")
      .def(
          "__init__",
          [](OrderGraphOptions* self, const std::string& heuristic,
             std::vector<std::size_t> pattern_sizes, std::size_t cycle_size, std::size_t max_bytes,
             unsigned n_threads) {
            new (self) OrderGraphOptions{.heuristic = heuristic_of(heuristic),
                                         .pattern_sizes = std::move(pattern_sizes),
                                         .cycle_size = cycle_size,
                                         .max_bytes = max_bytes,
                                         .n_threads = n_threads};
          },
          "heuristic"_a, "pattern_sizes"_a, "cycle_size"_a, "max_bytes"_a, "n_threads"_a)
      .def_ro_static("largest_pattern", &OrderGraphOptions::kLargestPattern);
  module.def(
      "astar",
      [](const ComponentLists& lists, const OrderGraphOptions& options,
         const FamilyPositions& start, const OnProgress& on_progress) {
        return run(on_progress,
                   [&](Control& control) { return astar(lists, options, start, control); });
      },
      "lists"_a, "options"_a, "start"_a, "on_progress"_a = nb::none());
  module.def(
      "weighted_astar",
      [](const ComponentLists& lists, const OrderGraphOptions& options, double weight,
         const FamilyPositions& start, const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return weighted_astar(lists, options, weight, start, control);
        });
      },
      "lists"_a, "options"_a, "weight"_a, "start"_a, "on_progress"_a = nb::none());
  module.def(
      "ara_star",
      [](const ComponentLists& lists, const OrderGraphOptions& options, double first_weight,
         double step, const FamilyPositions& start, const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return ara_star(lists, options, first_weight, step, start, control);
        });
      },
      "lists"_a, "options"_a, "first_weight"_a, "step"_a, "start"_a, "on_progress"_a = nb::none());
  module.def(
      "awa_star",
      [](const ComponentLists& lists, const OrderGraphOptions& options,
         const FamilyPositions& start, const OnProgress& on_progress) {
        return run(on_progress,
                   [&](Control& control) { return awa_star(lists, options, start, control); });
      },
      "lists"_a, "options"_a, "start"_a, "on_progress"_a = nb::none());
}

ClimbResult hill_climb_data(const FamilyScorer& scorer, const std::vector<ChildRules>& rules,
                            const ParentSets& start, const HillClimbOptions& options,
                            double row_bytes, unsigned n_threads, const OnProgress& on_progress) {
  return run(on_progress, [&](Control& control) {
    const std::unique_ptr<LocalScores> scores = local_scores(scorer, rules, n_threads, row_bytes);
    return hill_climb(*scores, start, options, control);
  });
}

// The status, the parents, and their mutual information.
using Tree = std::tuple<Status, nb::ndarray<std::int32_t, nb::numpy, nb::ndim<1>>,
                        nb::ndarray<double, nb::numpy, nb::ndim<1>>>;

Tree chow_liu_tree(const CountSource& source, std::size_t root, const Vector<std::uint8_t>& allowed,
                   unsigned n_threads, const OnProgress& on_progress) {
  ChowLiuTree tree = run(on_progress, [&](Control& control) {
    return chow_liu(source, root, view(allowed), n_threads, control);
  });
  return {tree.status, to_array(std::move(tree.parents)), to_array(std::move(tree.information))};
}

void bind_searches_on_data(nb::module_& module) {
  module.def("hill_climb_data", &hill_climb_data, "scorer"_a, "rules"_a, "start"_a, "options"_a,
             "row_bytes"_a, "n_threads"_a, "on_progress"_a.none() = nb::none());
  module.def("chow_liu", &chow_liu_tree, "source"_a, "root"_a, "allowed"_a.noconvert(),
             "n_threads"_a, "on_progress"_a.none() = nb::none());
}

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<ComponentLists>(
      module, "ComponentLists",
      "The families of a strongly connected component, with the parents as bits.")
      .def(
          "__init__",
          [](ComponentLists* self, const FamilyArrays& families,
             const Vector<std::int32_t>& members) {
            new (self) ComponentLists(families, view(members));
          },
          "families"_a, "members"_a.noconvert())
      .def_ro_static("most_variables", &ComponentLists::kMostVariables)
      .def("family", &ComponentLists::family, "variable"_a, "k"_a)
      .def("best", &ComponentLists::best, "variable"_a, "available"_a);
  nb::class_<SearchResult>(module, "SearchResult", "What a search found.")
      .def_ro("families", &SearchResult::families)
      .def_ro("score", &SearchResult::score)
      .def_ro("bound", &SearchResult::bound)
      .def_ro("status", &SearchResult::status)
      .def_ro("n_expanded", &SearchResult::n_expanded)
      .def_ro("n_generated", &SearchResult::n_generated)
      .def_ro("peak_bytes", &SearchResult::peak_bytes)
      .def_prop_ro("trace", [](const SearchResult& self) { return points_of(self.trace); });
  bind_astar(module);
  module.def(
      "order_search",
      [](const FamilyArrays& families, const Vector<std::int32_t>& start, std::uint64_t seed,
         std::size_t n_iterations, std::size_t n_orders, unsigned n_threads,
         const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return order_search(families, view(start), {seed, n_iterations, n_orders, n_threads},
                              control);
        });
      },
      "families"_a, "start"_a.noconvert(), "seed"_a, "n_iterations"_a, "n_orders"_a, "n_threads"_a,
      "on_progress"_a.none() = nb::none());
  nb::class_<HillClimbOptions>(module, "HillClimbOptions")
      .def(
          "__init__",
          [](HillClimbOptions* self, std::uint64_t seed, std::size_t n_restarts,
             std::size_t n_perturbations, std::size_t tabu_length, std::size_t max_tabu,
             std::vector<std::pair<std::uint16_t, std::uint16_t>> adjacent,
             std::size_t gain_bytes) {
            new (self) HillClimbOptions{seed,     n_restarts,          n_perturbations, tabu_length,
                                        max_tabu, std::move(adjacent), gain_bytes};
          },
          "seed"_a, "n_restarts"_a, "n_perturbations"_a, "tabu_length"_a, "max_tabu"_a,
          "adjacent"_a = std::vector<std::pair<std::uint16_t, std::uint16_t>>(),
          "gain_bytes"_a = HillClimbOptions{}.gain_bytes);
  nb::class_<ClimbResult>(module, "ClimbResult", "What hill climbing on data found.")
      .def_ro("parents", &ClimbResult::parents)
      .def_ro("score", &ClimbResult::score)
      .def_ro("status", &ClimbResult::status)
      .def_ro("n_expanded", &ClimbResult::n_expanded)
      .def_prop_ro("trace", [](const ClimbResult& self) { return points_of(self.trace); });
  module.def(
      "hill_climb_table",
      [](const FamilyArrays& families, const Vector<std::int32_t>& start,
         const HillClimbOptions& options, const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return hill_climb(families, view(start), options, control);
        });
      },
      "families"_a, "start"_a.noconvert(), "options"_a, "on_progress"_a.none() = nb::none());
  bind_searches_on_data(module);
  module.def(
      "dominated_families",
      [](const FamilyArrays& families, double slack) {
        return to_array(dominated_families(families, slack));
      },
      "families"_a, "slack"_a);
  module.def(
      "strong_components", [](const FamilyArrays& families) { return strong_components(families); },
      "families"_a);
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
  module.def(
      "breadth_first",
      [](const ComponentLists& lists, const OrderGraphOptions& options,
         const FamilyPositions& start, const std::string& scratch_dir,
         const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return breadth_first(lists, options,
                               {options.max_bytes, scratch_dir, options.n_threads, start}, control);
        });
      },
      "lists"_a, "options"_a, "start"_a, "scratch_dir"_a, "on_progress"_a.none());
}

}  // namespace credenet::python
