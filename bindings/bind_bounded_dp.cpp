#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <utility>
#include <vector>

#include "credenet/treewidth/best_within.hpp"
#include "credenet/treewidth/bounded_dp.hpp"
#include "family_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {

using namespace nb::literals;

void bind_bounded_dp(nb::module_& module) {
  module.def(
      "best_within",
      [](const FamilyArrays& families, std::vector<std::vector<std::int32_t>> bags,
         std::vector<std::int32_t> bag_parents, const OnProgress& on_progress) {
        const TreeDecomposition decomposition{std::move(bags), std::move(bag_parents)};
        return run(on_progress,
                   [&](Control& control) { return best_within(families, decomposition, control); });
      },
      "families"_a, "bags"_a, "bag_parents"_a, "on_progress"_a.none() = nb::none());
  module.def(
      "bounded_dp",
      [](const FamilyArrays& families, std::size_t tree_width, std::size_t max_bytes,
         unsigned n_threads, const OnProgress& on_progress, double at_least) {
        const BoundedDpOptions options{.tree_width = tree_width,
                                       .max_bytes = max_bytes,
                                       .n_threads = n_threads,
                                       .at_least = at_least};
        return run(on_progress,
                   [&](Control& control) { return bounded_dp(families, options, control); });
      },
      "families"_a, "tree_width"_a, "max_bytes"_a, "n_threads"_a,
      "on_progress"_a.none() = nb::none(), "at_least"_a = -std::numeric_limits<double>::infinity());
  module.def("bounded_dp_bytes", &bounded_dp_bytes, "n_variables"_a, "tree_width"_a);
  module.def("bounded_dp_steps", &bounded_dp_steps, "n_variables"_a, "tree_width"_a);
}

}  // namespace credenet::python
