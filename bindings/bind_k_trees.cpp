#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "credenet/counts/count_source.hpp"
#include "credenet/local/pair_information.hpp"
#include "credenet/treewidth/k_tree_search.hpp"
#include "family_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

// Information and score of each k-tree.
std::vector<std::pair<double, double>> points_of(const KTreeResult& result) {
  std::vector<std::pair<double, double>> points;
  for (const KTreePoint& point : result.points) {
    points.emplace_back(point.information, point.score);
  }
  return points;
}

// The status and the information of all pairs, row by row.
using PairTable = std::tuple<Status, nb::ndarray<double, nb::numpy, nb::ndim<1>>>;

PairTable pair_table(const CountSource& source, unsigned n_threads, const OnProgress& on_progress) {
  PairInformationTable table = run(
      on_progress, [&](Control& control) { return pair_information(source, n_threads, control); });
  return {table.status, to_array(std::move(table.values))};
}

}  // namespace

void bind_k_trees(nb::module_& module) {
  module.def("pair_information", &pair_table, "source"_a, "n_threads"_a,
             "on_progress"_a.none() = nb::none());
  nb::class_<KTreeResult, BoundedResult>(module, "KTreeResult", "What a search over k-trees found.")
      .def_prop_ro("points", &points_of,
                   "Information and score of each k-tree from which a network was made.")
      .def_ro("complete_gain", &KTreeResult::complete_gain)
      .def_ro("n_complete", &KTreeResult::n_complete);
  module.def(
      "k_tree_search",
      [](const FamilyArrays& families, const Vector<double>& weights, std::size_t tree_width,
         bool guided, bool exact, bool complete, std::size_t n_iterations, std::size_t n_orders,
         std::size_t max_bytes, std::uint64_t seed, unsigned n_threads,
         const OnProgress& on_progress) {
        return run(on_progress, [&](Control& control) {
          const FamilyLists lists = families;
          return k_tree_search(lists, {view(weights), lists.n_variables()},
                               {.tree_width = tree_width,
                                .guided = guided,
                                .exact = exact,
                                .complete = complete,
                                .n_iterations = n_iterations,
                                .n_orders = n_orders,
                                .max_bytes = max_bytes,
                                .seed = seed,
                                .n_threads = n_threads},
                               control);
        });
      },
      "families"_a, "weights"_a.noconvert(), "tree_width"_a, "guided"_a, "exact"_a, "complete"_a,
      "n_iterations"_a, "n_orders"_a, "max_bytes"_a, "seed"_a, "n_threads"_a,
      "on_progress"_a.none() = nb::none());
}

}  // namespace credenet::python
