#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "arrays.hpp"
#include "credenet/counts/row_table.hpp"
#include "credenet/families/dominated_families.hpp"
#include "credenet/lattice/astar.hpp"
#include "credenet/lattice/breadth_first.hpp"
#include "credenet/lattice/component_lists.hpp"
#include "credenet/lattice/subset_dp.hpp"
#include "credenet/local/chow_liu.hpp"
#include "credenet/local/hill_climb.hpp"
#include "credenet/local/order_search.hpp"
#include "credenet/local/search_result.hpp"
#include "python_control.hpp"
#include "score_kind.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

FamilyLists lists_of(const Vector<std::int64_t>& starts, const Vector<double>& scores,
                     const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents) {
  return {view(starts), view(scores), view(offsets), view(parents)};
}

HeuristicKind heuristic_of(const std::string& name) {
  if (name == "simple") return HeuristicKind::kSimple;
  if (name == "static") return HeuristicKind::kStatic;
  if (name == "dynamic") return HeuristicKind::kDynamic;
  throw nb::value_error("heuristic must be 'simple', 'static' or 'dynamic'");
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

// Seconds, score and bound.
std::vector<std::tuple<double, double, double>> points_of(const std::vector<BoundPoint>& trace) {
  std::vector<std::tuple<double, double, double>> points;
  for (const BoundPoint& point : trace) {
    points.emplace_back(point.seconds, point.score, point.bound);
  }
  return points;
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

using Families = std::vector<std::int32_t>;

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
      [](const ComponentLists& lists, const OrderGraphOptions& options, const Families& start,
         const OnProgress& on_progress) {
        return run(on_progress,
                   [&](Control& control) { return astar(lists, options, start, control); });
      },
      "lists"_a, "options"_a, "start"_a, "on_progress"_a = nb::none());
  module.def(
      "weighted_astar",
      [](const ComponentLists& lists, const OrderGraphOptions& options, double weight,
         const Families& start, const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return weighted_astar(lists, options, weight, start, control);
        });
      },
      "lists"_a, "options"_a, "weight"_a, "start"_a, "on_progress"_a = nb::none());
  module.def(
      "ara_star",
      [](const ComponentLists& lists, const OrderGraphOptions& options, double first_weight,
         double step, const Families& start, const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return ara_star(lists, options, first_weight, step, start, control);
        });
      },
      "lists"_a, "options"_a, "first_weight"_a, "step"_a, "start"_a, "on_progress"_a = nb::none());
  module.def(
      "awa_star",
      [](const ComponentLists& lists, const OrderGraphOptions& options, const Families& start,
         const OnProgress& on_progress) {
        return run(on_progress,
                   [&](Control& control) { return awa_star(lists, options, start, control); });
      },
      "lists"_a, "options"_a, "start"_a, "on_progress"_a = nb::none());
}

// What a climb on data found, and whether Ctrl-C ended it.
struct ClimbOutcome {
  ClimbResult result;
  bool interrupted = false;
};

template <typename Code>
ClimbOutcome hill_climb_data(const Columns<Code>& codes, const Vector<double>& weights,
                             const std::string& score, double parameter,
                             const Vector<std::int32_t>& n_states,
                             const std::vector<ChildRules>& rules, const ParentSets& start,
                             const HillClimbOptions& options, unsigned n_threads,
                             const OnProgress& on_progress, const PriorNetwork* prior) {
  PythonControl control(on_progress);
  ClimbOutcome outcome;
  {
    const nb::gil_scoped_release release;
    const RowTable rows(codes.data(), codes.shape(0), codes.shape(1), view(weights));
    DataScores scores(rows, settings_of(score, parameter, n_states, prior), rules, n_threads);
    outcome.result = hill_climb(scores, start, options, control);
  }
  outcome.interrupted = control.was_interrupted();
  return outcome;
}

// Parents and their information, and whether it came to its end.
using Tree = std::tuple<nb::ndarray<std::int32_t, nb::numpy, nb::ndim<1>>,
                        nb::ndarray<double, nb::numpy, nb::ndim<1>>, bool>;

template <typename Code>
Tree chow_liu_tree(const Columns<Code>& codes, const Vector<double>& weights, std::size_t root,
                   const Vector<std::uint8_t>& allowed, unsigned n_threads,
                   const OnProgress& on_progress) {
  PythonControl control(on_progress);
  ChowLiuTree tree;
  {
    const nb::gil_scoped_release release;
    const RowTable rows(codes.data(), codes.shape(0), codes.shape(1), view(weights));
    tree = chow_liu(rows, root, view(allowed), n_threads, control);
  }
  control.rethrow();
  return {to_array(std::move(tree.parents)), to_array(std::move(tree.information)), tree.complete};
}

template <typename Code>
void bind_searches_on_data(nb::module_& module) {
  module.def("hill_climb_data", &hill_climb_data<Code>, "codes"_a.noconvert(),
             "weights"_a.noconvert(), "score"_a, "parameter"_a, "n_states"_a.noconvert(), "rules"_a,
             "start"_a, "options"_a, "n_threads"_a, "on_progress"_a.none() = nb::none(),
             "prior"_a.none() = nb::none());
  module.def("chow_liu", &chow_liu_tree<Code>, "codes"_a.noconvert(), "weights"_a.noconvert(),
             "root"_a, "allowed"_a.noconvert(), "n_threads"_a, "on_progress"_a.none() = nb::none());
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
      .def_prop_ro("trace", [](const Outcome& self) { return points_of(self.result.trace); })
      .def_ro("interrupted", &Outcome::interrupted);
  bind_astar(module);
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
      "best_network_for_order",
      [](const Vector<std::int64_t>& starts, const Vector<double>& scores,
         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
         const Vector<std::int32_t>& order) {
        return best_network_for_order(lists_of(starts, scores, offsets, parents), view(order));
      },
      "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
      "parents"_a.noconvert(), "order"_a.noconvert());
  nb::class_<HillClimbOptions>(module, "HillClimbOptions")
      .def(
          "__init__",
          [](HillClimbOptions* self, std::uint64_t seed, std::size_t n_restarts,
             std::size_t n_perturbations, std::size_t tabu_length, std::size_t max_tabu,
             std::vector<std::pair<std::uint16_t, std::uint16_t>> adjacent) {
            new (self) HillClimbOptions{seed,        n_restarts, n_perturbations,
                                        tabu_length, max_tabu,   std::move(adjacent)};
          },
          "seed"_a, "n_restarts"_a, "n_perturbations"_a, "tabu_length"_a, "max_tabu"_a,
          "adjacent"_a = std::vector<std::pair<std::uint16_t, std::uint16_t>>());
  nb::class_<ClimbOutcome>(module, "ClimbOutcome", "What a climb on data found.")
      .def_prop_ro("parents", [](const ClimbOutcome& self) { return self.result.parents; })
      .def_prop_ro("score", [](const ClimbOutcome& self) { return self.result.score; })
      .def_prop_ro("status", [](const ClimbOutcome& self) { return name_of(self.result.status); })
      .def_prop_ro("n_expanded", [](const ClimbOutcome& self) { return self.result.n_expanded; })
      .def_prop_ro("trace", [](const ClimbOutcome& self) { return points_of(self.result.trace); })
      .def_ro("interrupted", &ClimbOutcome::interrupted);
  module.def(
      "hill_climb_table",
      [](const Vector<std::int64_t>& starts, const Vector<double>& scores,
         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
         const Vector<std::int32_t>& start, const HillClimbOptions& options,
         const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return hill_climb(lists_of(starts, scores, offsets, parents), view(start), options,
                            control);
        });
      },
      "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
      "parents"_a.noconvert(), "start"_a.noconvert(), "options"_a,
      "on_progress"_a.none() = nb::none());
  bind_searches_on_data<std::uint8_t>(module);
  bind_searches_on_data<std::uint16_t>(module);
  module.def(
      "dominated_families",
      [](const Vector<std::int64_t>& starts, const Vector<double>& scores,
         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents, double slack) {
        return to_array(dominated_families(lists_of(starts, scores, offsets, parents), slack));
      },
      "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
      "parents"_a.noconvert(), "slack"_a);
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
  module.def(
      "breadth_first",
      [](const ComponentLists& lists, const OrderGraphOptions& options, const Families& start,
         const std::string& scratch_dir, const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          return breadth_first(lists, options,
                               {options.max_bytes, scratch_dir, options.n_threads, start}, control);
        });
      },
      "lists"_a, "options"_a, "start"_a, "scratch_dir"_a, "on_progress"_a.none());
}

}  // namespace credenet::python
