#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "credenet/treewidth/bounded_search.hpp"
#include "family_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {

using namespace nb::literals;

namespace {

BoundedMethod method_of(const std::string& name) {
  if (name == "kg") return BoundedMethod::kKG;
  if (name == "kmax") return BoundedMethod::kKMax;
  if (name == "annealing") return BoundedMethod::kAnnealing;
  throw nb::value_error("method must be 'kg', 'kmax' or 'annealing'");
}

}  // namespace

void bind_treewidth(nb::module_& module) {
  nb::class_<BoundedResult, SearchResult>(module, "BoundedResult",
                                          "A network within the bags of a tree decomposition.")
      .def_prop_ro("bags", [](const BoundedResult& self) { return self.decomposition.bags; })
      .def_prop_ro("bag_parents",
                   [](const BoundedResult& self) { return self.decomposition.parents; });
  module.attr("MOST_TREE_WIDTH") = BoundedSearchOptions::kMostTreeWidth;
  module.def(
      "bounded_search",
      [](const FamilyArrays& families, std::size_t tree_width, const std::string& method,
         std::size_t n_iterations, std::uint64_t seed, unsigned n_threads, std::size_t max_bytes,
         const OnProgress& on_progress) {
        const BoundedSearchOptions options{tree_width, method_of(method), n_iterations,
                                           seed,       n_threads,         max_bytes};
        return run(on_progress,
                   [&](Control& control) { return bounded_search(families, options, control); });
      },
      "families"_a, "tree_width"_a, "method"_a, "n_iterations"_a, "seed"_a, "n_threads"_a,
      "max_bytes"_a, "on_progress"_a.none() = nb::none());
}

}  // namespace credenet::python
